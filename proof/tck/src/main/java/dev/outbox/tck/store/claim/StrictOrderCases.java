package dev.outbox.tck.store.claim;

import static dev.outbox.tck.fixture.Sample.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.StoredEnvelope;
import dev.outbox.tck.fixture.OneLaneCases;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.testkit.internal.Crew;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nothing of a strict key passes one that died, whatever an operator does meanwhile. */
public abstract class StrictOrderCases extends OneLaneCases {
  private DeadStore dead;

  @SuppressWarnings("NullAway.Init")
  protected StrictOrderCases(Opener opener) {
    super(opener);
  }

  @BeforeEach
  void openDeadLetters() {
    dead = store().deadLetters();
  }

  private List<DeadLetter.Id> numbers() {
    return dead.page(Filter.all(), 0, 100).stream().map(DeadLetter::id).toList();
  }

  /** Of four messages the first and the third die strictly, the others wait. */
  private List<StoredEnvelope> twoOfFourDie() throws Exception {
    List<StoredEnvelope> stored =
        ready(keyed("k", "1"), keyed("k", "2"), keyed("k", "3"), keyed("k", "4"));
    settled(
        settle(
            relay,
            lease,
            buryStrictly(stored.get(0)),
            follow(stored.get(1)),
            buryStrictly(stored.get(2)),
            follow(stored.get(3))));
    assertThat(readDue(relay)).isEmpty();
    return stored;
  }

  @Test
  void what_stands_behind_another_dead_letter_is_not_read_with_the_replayed_one() throws Exception {
    twoOfFourDie();
    dead.replay(numbers().subList(0, 1));
    List<StoredEnvelope> due = readDue(relay);
    assertThat(texts(due)).startsWith("1").doesNotContain("3", "4");
    assertThat(settled(settle(relay, lease, deliver(due))).freed()).isEmpty();
    assertThat(texts(readDue(relay))).doesNotContain("4");
    dead.replay(numbers());
    List<StoredEnvelope> rest = readDue(relay);
    assertThat(texts(rest)).endsWith("3", "4");
    assertThat(texts(due).size() + rest.size()).isEqualTo(4);
    assertThat(settled(settle(relay, lease, deliver(rest))).freed()).containsExactly(held("k"));
  }

  @Test
  void the_later_of_two_waits_for_the_earlier_one() throws Exception {
    twoOfFourDie();
    dead.replay(numbers().subList(1, 2));
    assertThat(readDue(relay)).isEmpty();
    assertThat(looksDue(Set.of())).isFalse();
    dead.replay(numbers());
    assertThat(texts(readDue(relay))).containsExactly("1", "2", "3", "4");
  }

  @Test
  void the_later_of_two_goes_on_when_the_earlier_one_is_discarded() throws Exception {
    twoOfFourDie();
    dead.replay(numbers().subList(1, 2));
    dead.discard(numbers());
    assertThat(texts(readDue(relay))).containsExactly("2", "3", "4");
  }

  @Test
  void the_key_is_held_until_the_last_of_its_dead_letters_has_gone() throws Exception {
    twoOfFourDie();
    dead.discard(numbers().subList(0, 1));
    assertThat(texts(readDue(relay))).doesNotContain("4");
    assertThat(takeOver(relay("b")).held()).containsExactly(held("k"));
    dead.discard(numbers());
    assertThat(texts(readDue(relay))).containsExactly("2", "4");
  }

  @Test
  void both_are_replayed_in_the_order_of_their_ids() throws Exception {
    List<StoredEnvelope> stored = twoOfFourDie();
    assertThat(dead.replay(numbers())).isEqualTo(2);
    assertThat(ids(readDue(relay))).isEqualTo(ids(stored));
  }

  @Test
  void a_follower_that_is_parked_while_its_dead_letter_is_discarded_is_not_forgotten()
      throws Exception {
    long deadlocks = environment().deadlocks();
    for (int round = 0; round < 40; round++) {
      String key = "k" + round;
      settled(settle(relay, lease, buryStrictly(ready(keyed(key, "first")).get(0))));
      StoredEnvelope next = ready(keyed(key, "next")).get(0);
      List<DeadLetter.Id> numbers = numbers();
      List<Callable<Object>> both =
          List.of(() -> settled(settle(relay, lease, follow(next))), () -> dead.discard(numbers));
      Crew.together(both);
      List<StoredEnvelope> due = readDue(relay);
      assertThat(texts(due)).containsExactly("next");
      settled(settle(relay, lease, deliver(due)));
    }
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }

  @Test
  void a_follower_that_is_parked_while_its_dead_letter_is_replayed_stays_behind_it()
      throws Exception {
    long deadlocks = environment().deadlocks();
    for (int round = 0; round < 40; round++) {
      String key = "k" + round;
      settled(settle(relay, lease, buryStrictly(ready(keyed(key, "first")).get(0))));
      StoredEnvelope next = ready(keyed(key, "next")).get(0);
      List<DeadLetter.Id> numbers = numbers();
      List<Callable<Object>> both =
          List.of(() -> settled(settle(relay, lease, follow(next))), () -> dead.replay(numbers));
      Crew.together(both);
      List<StoredEnvelope> due = readDue(relay);
      assertThat(texts(due)).containsExactly("first", "next");
      assertThat(settled(settle(relay, lease, deliver(due))).freed()).hasSize(1);
    }
    assertThat(environment().deadlocks()).isEqualTo(deadlocks);
  }

  @Test
  void one_that_is_replayed_while_its_lane_is_claimed_holds_its_key_for_the_new_owner()
      throws Exception {
    for (int round = 0; round < 20; round++) {
      String key = "k" + round;
      settled(settle(relay, lease, buryStrictly(ready(keyed(key, "first")).get(0))));
      release(relay, lease);
      List<DeadLetter.Id> numbers = numbers();
      List<Callable<List<LaneClaim>>> both =
          List.of(
              () -> relay.claim(1),
              () -> {
                dead.replay(numbers);
                return List.of();
              });
      List<LaneClaim> claims = Crew.together(both).get(0);
      // A lane whose row an operator has just locked is skipped.
      LaneClaim claim = (claims.isEmpty() ? relay.claim(1) : claims).get(0);
      assertThat(claim.held()).containsExactly(held(key));
      lease = claim.lease();
      settled(settle(relay, lease, deliver(readDue(relay))));
    }
  }
}
