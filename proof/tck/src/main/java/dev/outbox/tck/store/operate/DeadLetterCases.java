package dev.outbox.tck.store.operate;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.message;
import static dev.outbox.tck.fixture.Sample.numbered;
import static dev.outbox.tck.fixture.Sample.numbers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.message.MessageId;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.StoreCases;
import dev.outbox.testkit.internal.Crew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Dead letters wait for an operator. */
public abstract class DeadLetterCases extends StoreCases {
  protected DeadLetterCases(Opener opener) {
    super(opener);
  }

  private LaneStore relay;
  private DeadStore dead;

  @BeforeEach
  void openDeadLetters() throws Exception {
    relay = relay("a");
    dead = store().deadLetters();
  }

  /** Buries messages of one key in lane 0, their texts numbered, and returns their ids. */
  private List<DeadLetter.Id> buried(int count) throws Exception {
    commit(numbered("k", count));
    Lease lease =
        claimAll(relay).stream().filter(each -> each.lane().equals(LANE)).findFirst().orElseThrow();
    settled(settle(relay, lease, read(relay, LANE).stream().map(StoreCases::bury).toList()));
    return dead.page(Filter.all(), 0, count).stream().map(DeadLetter::id).toList();
  }

  @Test
  void a_dead_letter_tells_why_it_died() throws Exception {
    buried(1);
    DeadLetter letter = dead.page(Filter.all(), 0, 10).get(0);
    assertThat(letter.reason()).isEqualTo(Reason.REJECTED);
    assertThat(letter.error()).isEqualTo("no such account");
    assertThat(letter.attempts()).isEqualTo(2);
    assertThat(letter.history()).isEqualTo("first\nsecond");
    assertThat(Duration.between(letter.deadSince(), store().now()).abs()).isLessThan(LEASE);
  }

  @Test
  void every_reason_is_kept() throws Exception {
    commit(numbered("k", Reason.values().length));
    Lease lease = claimFirst(relay);
    Iterator<StoredEnvelope> stored = readAll(relay).iterator();
    List<Fate> fates =
        Arrays.stream(Reason.values())
            .<Fate>map(reason -> new Fate.Bury(stored.next(), reason, "why", 1, "history", false))
            .toList();
    settled(settle(relay, lease, fates));
    assertThat(dead.page(Filter.all(), 0, 10))
        .extracting(DeadLetter::reason)
        .containsExactly(Reason.values());
  }

  @Test
  void pages_follow_each_other_in_order_of_number() throws Exception {
    List<DeadLetter.Id> letters = buried(10);
    assertThat(letters).extracting(DeadLetter.Id::number).isSorted().doesNotHaveDuplicates();
    assertThat(idsOf(dead.page(Filter.all(), 0, 4))).isEqualTo(letters.subList(0, 4));
    assertThat(idsOf(dead.page(Filter.all(), letters.get(3).number(), 4)))
        .isEqualTo(letters.subList(4, 8));
    assertThat(idsOf(dead.page(Filter.all(), letters.get(7).number(), 4)))
        .isEqualTo(letters.subList(8, 10));
    assertThat(dead.page(Filter.all(), letters.get(9).number(), 4)).isEmpty();
  }

  private static List<DeadLetter.Id> idsOf(List<DeadLetter> letters) {
    return letters.stream().map(DeadLetter::id).toList();
  }

  @Test
  void those_that_died_later_have_higher_numbers() throws Exception {
    commit(keyed("k", "1"), keyed("k", "2"));
    Lease lease = claimFirst(relay);
    List<StoredEnvelope> stored = readAll(relay);
    settle(relay, lease, bury(stored.get(1)));
    settle(relay, lease, bury(stored.get(0)));
    assertThat(dead.page(Filter.all(), 0, 10))
        .extracting(letter -> letter.envelope().payload().text())
        .containsExactly("2", "1");
  }

  @Test
  void a_count_goes_no_further_than_its_bound() throws Exception {
    buried(10);
    assertThat(dead.count(Filter.all(), 4)).isEqualTo(4);
    assertThat(dead.count(Filter.all(), 10)).isEqualTo(10);
    assertThat(dead.count(Filter.all(), 100)).isEqualTo(10);
  }

  @Test
  void a_replayed_message_has_its_old_message_id_and_a_fresh_number() throws Exception {
    List<DeadLetter.Id> letters = buried(1);
    MessageId id = dead.page(Filter.all(), 0, 1).get(0).envelope().id();
    commit(keyed("k", "enqueued later"));
    long last = read(relay, LANE).get(0).id();
    assertThat(dead.replay(letters)).isEqualTo(1);
    List<StoredEnvelope> stored = read(relay, LANE);
    assertThat(texts(stored)).containsExactly("enqueued later", "k 0");
    assertThat(stored.get(1).envelope().id()).isEqualTo(id);
    assertThat(stored.get(1).id()).isGreaterThan(last);
    assertThat(dead.count(Filter.all(), 10)).isZero();
  }

  @Test
  void several_are_replayed_in_the_order_of_their_numbers() throws Exception {
    List<DeadLetter.Id> letters = new ArrayList<>(buried(50));
    Collections.shuffle(letters, seeded("replay"));
    assertThat(dead.replay(letters)).isEqualTo(50);
    assertThat(texts(read(relay, LANE))).isEqualTo(numbers("k", 50));
  }

  @Test
  void a_message_can_die_and_be_replayed_again_and_again() throws Exception {
    List<DeadLetter.Id> letters = buried(3);
    for (int round = 0; round < 3; round++) {
      assertThat(dead.replay(letters)).isEqualTo(3);
      List<StoredEnvelope> stored = read(relay, LANE);
      assertThat(texts(stored)).isEqualTo(numbers("k", 3));
      passTime(LEASE.plusSeconds(1));
      Lease lease =
          claimAll(relay).stream()
              .filter(each -> each.lane().equals(LANE))
              .findFirst()
              .orElseThrow();
      settled(settle(relay, lease, stored.stream().map(StoreCases::bury).toList()));
      letters = idsOf(dead.page(Filter.all(), 0, 10));
    }
    assertThat(dead.count(Filter.all(), 10)).isEqualTo(3);
  }

  @Test
  void numbers_that_are_not_there_are_ignored() throws Exception {
    List<DeadLetter.Id> letters = buried(2);
    DeadLetter.Id last = letters.get(1);
    DeadLetter.Id gone = new DeadLetter.Id(last.number() + 1000, last.message());
    assertThat(dead.replay(List.of(gone))).isZero();
    assertThat(dead.discard(List.of(gone))).isZero();
    assertThat(dead.replay(List.of(letters.get(0), gone))).isEqualTo(1);
    assertThat(dead.discard(List.of(gone, letters.get(1)))).isEqualTo(1);
    assertThat(dead.count(Filter.all(), 10)).isZero();
  }

  @Test
  void two_operators_replay_each_message_once() throws Exception {
    List<DeadLetter.Id> letters = buried(50);
    List<Callable<Integer>> operators =
        List.of(() -> dead.replay(letters), () -> store().deadLetters().replay(letters));
    int replayed = Crew.together(operators).stream().mapToInt(count -> count).sum();
    assertThat(replayed).isEqualTo(50);
    assertThat(texts(read(relay, LANE))).isEqualTo(numbers("k", 50));
  }

  @Test
  void discarded_messages_are_gone_for_good() throws Exception {
    List<DeadLetter.Id> letters = buried(3);
    assertThat(dead.discard(letters.subList(0, 2))).isEqualTo(2);
    assertThat(idsOf(dead.page(Filter.all(), 0, 10))).isEqualTo(letters.subList(2, 3));
    assertThat(dead.replay(letters.subList(0, 2))).isZero();
    assertThat(read(relay, LANE)).isEmpty();
  }

  @Test
  void a_purge_deletes_the_old_in_bounded_batches() throws Exception {
    buried(5);
    passTime(Duration.ofHours(2));
    commit(message(OTHER, "k", "young"));
    Lease lease =
        claimAll(relay).stream()
            .filter(each -> each.lane().equals(OTHER))
            .findFirst()
            .orElseThrow();
    settle(relay, lease, bury(read(relay, OTHER).get(0)));
    assertThat(dead.purge(Duration.ofHours(3), 10)).isZero();
    assertThat(dead.purge(Duration.ofHours(1), 2)).isEqualTo(2);
    assertThat(dead.purge(Duration.ofHours(1), 2)).isEqualTo(2);
    assertThat(dead.purge(Duration.ofHours(1), 2)).isEqualTo(1);
    assertThat(dead.purge(Duration.ofHours(1), 2)).isZero();
    assertThat(dead.page(Filter.all(), 0, 10))
        .extracting(letter -> letter.envelope().payload().text())
        .containsExactly("young");
  }
}
