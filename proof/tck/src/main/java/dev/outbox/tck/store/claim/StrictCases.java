package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static dev.outbox.tck.fixture.Sample.unkeyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.Sample;
import dev.outbox.tck.fixture.StoreCases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A dead letter of a strict topic keeps its key held, until it is replayed or discarded. */
public abstract class StrictCases extends OneLaneCases {
  private DeadStore dead;

  @SuppressWarnings("NullAway.Init")
  protected StrictCases(Opener opener) {
    super(opener);
  }

  @BeforeEach
  void openDeadLetters() {
    dead = store().deadLetters();
  }

  private List<DeadLetter.Id> numbers() {
    return dead.page(Filter.all(), 0, 100).stream().map(DeadLetter::id).toList();
  }

  /** Messages of one key, texts numbered from 1: the first dies strictly, the others follow. */
  private List<StoredEnvelope> firstDies(String key, int count) throws Exception {
    NewEnvelope[] messages = new NewEnvelope[count];
    for (int i = 0; i < count; i++) {
      messages[i] = keyed(key, key + (i + 1));
    }
    List<StoredEnvelope> stored = ready(messages);
    List<Fate> fates = new ArrayList<>(List.of(buryStrictly(stored.get(0))));
    stored.subList(1, count).forEach(each -> fates.add(follow(each)));
    assertThat(settled(settle(relay, lease, fates)).freed()).isEmpty();
    return stored;
  }

  @Test
  void a_dead_letter_tells_whether_it_holds_its_key() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("a", "strict"), keyed("b", "lax"), unkeyed("no key"));
    settle(
        relay,
        lease,
        buryStrictly(stored.get(0)),
        bury(stored.get(1)),
        buryStrictly(stored.get(2)));
    assertThat(dead.page(Filter.all(), 0, 10))
        .extracting(DeadLetter::holdsKey)
        .containsExactly(true, false, false);
  }

  @Test
  void the_key_is_held_for_whoever_claims_the_lane() throws Exception {
    firstDies("alone", 1);
    firstDies("k", 2);
    settle(relay, lease, bury(ready(keyed("lax", "1")).get(0)));
    assertThat(takeOver(relay("b")).held()).containsExactlyInAnyOrder(held("alone"), held("k"));
  }

  @Test
  void what_follows_is_not_due_however_long_it_waits() throws Exception {
    firstDies("k", 3);
    passTime(Duration.ofDays(30));
    assertThat(readDue(relay)).isEmpty();
    assertThat(looksDue(Set.of())).isFalse();
    assertThat(store().snapshot(10).oldestDue()).isNull();
  }

  @Test
  void what_is_parked_later_is_not_due_either() throws Exception {
    firstDies("k", 1);
    settle(relay, lease, follow(ready(keyed("k", "k2")).get(0)));
    settle(relay, lease, follow(ready(keyed("k", "k3")).get(0)));
    assertThat(readDue(relay)).isEmpty();
  }

  @Test
  void what_is_held_with_its_topic_behind_it_is_not_released() throws Exception {
    firstDies("k", 1);
    settle(relay, lease, hold(ready(keyed("k", "k2")).get(0)));
    assertThat(relay.release(List.of(lease), Set.of(), 10)).isZero();
    assertThat(readDue(relay)).isEmpty();
  }

  @Test
  void a_parked_message_that_dies_strictly_frees_nothing_and_wakes_nobody() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "k1"), keyed("k", "k2"));
    settle(relay, lease, fail(stored.get(0), Duration.ZERO), follow(stored.get(1)));
    SettleResult settleResult = settle(relay, lease, buryStrictly(readDue(relay).get(0)));
    assertThat(settled(settleResult).freed()).isEmpty();
    assertThat(readDue(relay)).isEmpty();
  }

  @Test
  void the_last_parked_message_that_dies_strictly_does_not_free_its_key() throws Exception {
    settle(relay, lease, fail(ready(keyed("k", "k1")).get(0), Duration.ZERO));
    Fate fate = buryStrictly(readDue(relay).get(0));
    Settlement settlement =
        new Settlement(lease, lease.floor(), List.of(fate), Settlement.After.RENEW);
    assertThat(settled(settle(relay, settlement)).freed()).isEmpty();
    assertThat(settled(settle(relay, settlement)).freed()).isEmpty();
    assertThat(numbers()).hasSize(1);
  }

  @Test
  void replayed_it_goes_before_those_that_wait_behind_it() throws Exception {
    List<StoredEnvelope> stored = firstDies("k", 3);
    assertThat(dead.replay(numbers())).isEqualTo(1);
    assertThat(readAll(relay)).isEmpty();
    List<StoredEnvelope> due = readDue(relay);
    assertThat(texts(due)).containsExactly("k1", "k2", "k3");
    assertThat(ids(due)).isEqualTo(ids(stored));
    assertThat(messageIds(due)).isEqualTo(messageIds(stored));
    RetryState retryState = requireParking(due.get(0));
    assertThat(retryState.attempts()).isZero();
    assertThat(retryState.failing()).isZero();
    assertThat(dead.count(Filter.all(), 10)).isZero();
    assertThat(settled(settle(relay, lease, deliver(due))).freed()).containsExactly(held("k"));
  }

  @Test
  void replayed_when_a_parked_message_has_its_id_it_goes_to_the_end() throws Exception {
    StoredEnvelope first = firstDies("k", 2).get(0);
    if (environment().restartIds(first.id())) {
      StoredEnvelope other = ready(keyed("l", "l1")).get(0);
      assertThat(other.id()).isEqualTo(first.id());
      settle(relay, lease, fail(other, Duration.ZERO));
      assertThat(dead.replay(numbers())).isEqualTo(1);
      assertThat(messageIds(readAll(relay))).containsExactly(first.envelope().id());
      assertThat(texts(readDue(relay))).containsExactlyInAnyOrder("l1", "k2");
      assertThat(dead.count(Filter.all(), 10)).isZero();
    }
  }

  @Test
  void of_two_that_had_the_same_id_the_second_goes_to_the_end() throws Exception {
    StoredEnvelope first = firstDies("k", 1).get(0);
    if (environment().restartIds(first.id())) {
      StoredEnvelope second = ready(keyed("l", "l1")).get(0);
      assertThat(second.id()).isEqualTo(first.id());
      environment().restartIds(1000); // a store may number its dead letters by the same
      settle(relay, lease, buryStrictly(second));
      assertThat(dead.replay(numbers())).isEqualTo(2);
      assertThat(texts(readDue(relay))).containsExactly("k1");
      assertThat(texts(readAll(relay))).containsExactly("l1");
    }
  }

  @Test
  void replayed_alone_it_is_due_at_once() throws Exception {
    firstDies("k", 1);
    dead.replay(numbers());
    assertThat(looksDue(Set.of())).isTrue();
    assertThat(takeOver(relay("b")).held()).containsExactly(held("k"));
    assertThat(texts(readDue(relay))).containsExactly("k1");
  }

  @Test
  void it_can_die_and_be_replayed_again_and_again() throws Exception {
    List<StoredEnvelope> stored = firstDies("k", 2);
    for (int round = 0; round < 3; round++) {
      assertThat(dead.replay(numbers())).isEqualTo(1);
      List<StoredEnvelope> due = readDue(relay);
      assertThat(ids(due)).isEqualTo(ids(stored));
      settled(settle(relay, lease, buryStrictly(due.get(0))));
      assertThat(readDue(relay)).isEmpty();
    }
  }

  @Test
  void discarded_it_lets_the_next_of_its_key_go_on() throws Exception {
    firstDies("k", 3);
    assertThat(dead.discard(numbers())).isEqualTo(1);
    List<StoredEnvelope> due = readDue(relay);
    assertThat(texts(due)).containsExactly("k2", "k3");
    assertThat(settled(settle(relay, lease, deliver(due))).freed()).containsExactly(held("k"));
  }

  @Test
  void discarded_it_lets_the_next_go_on_that_was_held_with_its_topic() throws Exception {
    firstDies("k", 1);
    settle(relay, lease, hold(ready(keyed("k", "k2")).get(0)));
    dead.discard(numbers());
    assertThat(texts(readDue(relay))).containsExactly("k2");
  }

  @Test
  void discarded_with_nothing_behind_it_leaves_its_key_free() throws Exception {
    firstDies("k", 1);
    dead.discard(numbers());
    assertThat(takeOver(relay("b")).held()).isEmpty();
  }

  @Test
  void a_purge_leaves_it_and_is_not_stopped_by_it() throws Exception {
    firstDies("a", 1);
    firstDies("b", 1);
    settle(
        relay,
        lease,
        ready(keyed("c", "c1"), keyed("d", "d1")).stream().map(StoreCases::bury).toList());
    passTime(Duration.ofHours(2));
    assertThat(dead.purge(Duration.ofHours(1), 2)).isEqualTo(2);
    assertThat(dead.purge(Duration.ofHours(1), 2)).isZero();
    assertThat(dead.page(Filter.all(), 0, 10))
        .extracting(letter -> letter.envelope().payload().text())
        .containsExactly("a1", "b1");
  }

  @Test
  void other_keys_and_other_topics_of_the_same_key_pass() throws Exception {
    firstDies("k", 1);
    List<StoredEnvelope> stored =
        ready(keyed("K", "1"), keyed("k ", "2"), Sample.of("other", "k", "3"), unkeyed("4"));
    settle(relay, lease, stored.stream().map(each -> fail(each, Duration.ZERO)).toList());
    List<StoredEnvelope> due = readDue(relay);
    assertThat(texts(due)).containsExactlyInAnyOrder("1", "2", "3", "4");
    assertThat(settled(settle(relay, lease, deliver(due))).freed()).hasSize(3);
    assertThat(takeOver(relay("b")).held()).containsExactly(held("k"));
  }

  @Test
  void a_repeated_settlement_buries_it_once() throws Exception {
    List<StoredEnvelope> stored = ready(keyed("k", "k1"), keyed("k", "k2"));
    Settlement settlement =
        new Settlement(
            lease,
            lease.floor(),
            List.of(buryStrictly(stored.get(0)), follow(stored.get(1))),
            Settlement.After.RENEW);
    for (int i = 0; i < 3; i++) {
      assertThat(settled(settle(relay, settlement)).freed()).isEmpty();
      assertThat(readDue(relay)).isEmpty();
      assertThat(numbers()).hasSize(1);
    }
  }

  @Test
  void strict_and_lax_ones_are_replayed_together() throws Exception {
    firstDies("k", 2);
    settle(relay, lease, bury(ready(keyed("lax", "lax")).get(0)));
    firstDies("l", 2);
    assertThat(dead.replay(numbers())).isEqualTo(3);
    assertThat(texts(readAll(relay))).containsExactly("lax");
    assertThat(texts(readDue(relay)))
        .containsExactlyInAnyOrder("k1", "k2", "l1", "l2")
        .containsSubsequence("k1", "k2")
        .containsSubsequence("l1", "l2");
  }
}
