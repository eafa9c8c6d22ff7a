package dev.outbox.tck.relay.operate;

import static dev.outbox.tck.fixture.FaultyStore.Fault.AFTER;
import static dev.outbox.tck.fixture.FaultyStore.Fault.BEFORE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.DeadLetter;
import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.Dose;
import dev.outbox.tck.fixture.FaultyStore;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A store that does not answer: nothing is lost, nothing is doubled. */
public abstract class LostReplyCases extends RelayCases {
  private static final int ROUNDS = Dose.daily(20, 60);

  protected LostReplyCases(Opener opener) {
    super(opener);
  }

  @Override
  protected StoreSetting setting() {
    return StoreSetting.lanes(1);
  }

  @Test
  void a_settle_whose_reply_was_lost_is_settled_again() throws Exception {
    settlesAgain(AFTER);
  }

  @Test
  void a_settle_that_never_arrived_is_settled_again() throws Exception {
    settlesAgain(BEFORE);
  }

  private void settlesAgain(FaultyStore.Fault fault) throws Exception {
    broker.fail(
        envelope -> envelope.payload().text().equals("failing 0"),
        new IllegalStateException("no room"));
    broker.rejectIf(envelope -> envelope.payload().text().equals("rejected 0"), "no such account");
    commit(numbered("good", 5));
    commit(numbered("failing", 3));
    commit(numbered("rejected", 3));
    ManualRelay relay = started("a");
    // from the second on, a renewal follows a settle that fails
    store().failSettles(fault, fault, fault, fault, fault);
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    }
    relay.drainNow();
    assertThat(texts("good")).isEqualTo(numbers("good", 5));
    assertThat(texts("failing")).isEmpty();
    assertThat(texts("rejected")).containsExactly("rejected 1", "rejected 2");
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 3, 0, 1));
    assertThat(dead()).extracting(DeadLetter::attempts).containsExactly(1);
    broker.heal();
    store().failSettles(fault);
    pass(REST);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    relay.drainNow();
    assertThat(texts("failing")).isEqualTo(numbers("failing", 3));
    commit(message("failing", "failing 3"));
    relay.drainNow();
    assertThat(texts("failing")).isEqualTo(numbers("failing", 4));
    assertThat(broker.repeats()).isEmpty();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 0, 1));
    assertThat(countingListener.missing).hasValue(0);
  }

  @Test
  void a_settle_in_doubt_is_given_up_once_the_lane_has_a_new_owner() throws Exception {
    commit(numbered("a", 3));
    ManualRelay relay = started("a");
    store().failSettles(BEFORE);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    pass(LEASE.plusSeconds(1));
    ManualRelay next = started("b");
    next.drainNow();
    assertThat(broker.count()).isEqualTo(6);
    relay.drainNow();
    assertThat(countingListener.fenced).hasSize(1);
    assertThat(broker.count()).isEqualTo(6);
    assertThat(tableCounts()).isEqualTo(TableCounts.EMPTY);
  }

  @Test
  void a_dead_letter_whose_settle_was_in_doubt_is_not_buried_twice() throws Exception {
    broker.rejectIf(envelope -> true, "no such account");
    commit(numbered("a", 3));
    ManualRelay relay = started("a");
    store().failSettles(AFTER, AFTER);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    assertThatThrownBy(relay::drainNow).isInstanceOf(StoreException.class);
    relay.drainNow();
    assertThat(dead()).hasSize(3);
    broker.heal();
    deadLetters().replay(dead().stream().map(DeadLetter::id).toList());
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 3));
    assertEmpty();
  }

  @Test
  void any_call_may_fail_at_any_time_and_nothing_is_lost_or_doubled() throws Exception {
    Random random = seeded("calls that fail");
    store()
        .plan(
            call ->
                switch (random.nextInt(8)) {
                  case 0 -> BEFORE;
                  case 1 -> AFTER;
                  default -> FaultyStore.Fault.NONE;
                });
    Set<MessageId> committed = new HashSet<>();
    ManualRelay relay = started(relay("a", broker.publisher()).batch(4));
    for (int round = 0; round < ROUNDS; round++) {
      List<Message> messages = new ArrayList<>();
      for (int number = 0; number < 3; number++) {
        String key = "key " + random.nextInt(5);
        messages.add(message(key, "%s %04d".formatted(key, round * 3 + number)));
      }
      messages.add(Message.to(TOPIC).deliverAfter(Duration.ofSeconds(30)).text("delayed"));
      committed.addAll(commit(messages));
      if (random.nextInt(3) == 0) {
        broker.failNext(1, new IllegalStateException("no room"));
      }
      drainInSpiteOf(relay);
      pass(Duration.ofSeconds(2));
    }
    store().plan(call -> FaultyStore.Fault.NONE);
    // some seeds leave a message that failed often, and that rests for long
    for (int look = 0; look < 20 || (look < 300 && !broker.ids().equals(committed)); look++) {
      pass(REST);
      relay.drainNow();
    }
    assertThat(broker.ids()).isEqualTo(committed);
    for (int key = 0; key < 5; key++) {
      assertThat(texts("key " + key)).isSorted();
    }
    assertEmpty();
  }

  private static void drainInSpiteOf(ManualRelay relay) {
    try {
      relay.drainNow();
    } catch (StoreException e) {
      // told to fail; the next round goes on where this one ended
      return;
    }
  }
}
