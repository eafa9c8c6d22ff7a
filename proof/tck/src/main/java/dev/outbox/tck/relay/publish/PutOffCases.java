package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Delayed messages leave at their time. */
public abstract class PutOffCases extends RelayCases {
  protected PutOffCases(Opener opener) {
    super(opener);
  }

  private static Message delayed(String text, Duration delay) {
    return Message.to(TOPIC).key("k").deliverAfter(delay).text(text);
  }

  @Test
  void a_delayed_message_is_never_early_and_leaves_when_due() throws Exception {
    ManualRelay relay = started("a");
    commit(delayed("later", Duration.ofMinutes(10)), message("k", "now"));
    relay.drainNow();
    assertThat(texts()).containsExactly("now");
    pass(Duration.ofSeconds(595));
    relay.drainNow();
    assertThat(texts()).containsExactly("now");
    pass(Duration.ofSeconds(5));
    relay.drainNow();
    assertThat(texts()).containsExactly("now", "later");
    assertEmpty();
  }

  @Test
  void delayed_messages_leave_in_the_order_of_their_due_times() throws Exception {
    ManualRelay relay = started("a");
    commit(
        delayed("third", Duration.ofMinutes(30)),
        delayed("first", Duration.ofMinutes(10)),
        delayed("second", Duration.ofMinutes(20)));
    pass(Duration.ofHours(1));
    relay.drainNow();
    assertThat(texts()).containsExactly("first", "second", "third");
    assertEmpty();
  }

  @Test
  void an_instant_is_met_by_the_database_clock() throws Exception {
    ManualRelay relay = started("a");
    Message message =
        Message.to(TOPIC).key("k").deliverAt(store().now().plusSeconds(600)).text("later");
    commit(message);
    pass(Duration.ofSeconds(595));
    relay.drainNow();
    assertThat(texts()).isEmpty();
    pass(Duration.ofSeconds(6));
    relay.drainNow();
    assertThat(texts()).containsExactly("later");
  }

  @Test
  void a_message_whose_instant_has_passed_leaves_at_once() throws Exception {
    commit(Message.to(TOPIC).key("k").deliverAt(store().now().minusSeconds(60)).text("late"));
    started("a").drainNow();
    assertThat(texts()).containsExactly("late");
  }

  @Test
  void a_delayed_message_takes_its_place_when_it_falls_due() throws Exception {
    ManualRelay relay = started("a");
    commit(delayed("delayed", Duration.ofMinutes(1)), message("k", "before"));
    relay.drainNow();
    pass(Duration.ofMinutes(2));
    relay.drainNow();
    commit(message("k", "after"));
    relay.drainNow();
    assertThat(texts("k")).containsExactly("before", "delayed", "after");
  }

  @Test
  void a_delayed_message_of_a_held_key_waits_behind_it() throws Exception {
    ManualRelay relay =
        started(
            relay("a", broker.publisher())
                .retry((attempts, failing) -> java.util.Optional.of(Duration.ofMinutes(10))));
    broker.failNext(1, new IllegalStateException("no room"));
    commit(message("k", "held"), delayed("delayed", Duration.ofMinutes(1)));
    relay.drainNow();
    pass(Duration.ofMinutes(2));
    relay.drainNow();
    assertThat(texts()).isEmpty();
    pass(Duration.ofMinutes(8));
    relay.drainNow();
    assertThat(texts("k")).containsExactly("held", "delayed");
    assertEmpty();
  }

  @Test
  void many_that_fall_due_at_once_all_leave_once() throws Exception {
    ManualRelay relay = started(relay("a", broker.publisher()).batch(20));
    for (int number = 0; number < 10; number++) {
      commit(
          numbers("u " + number, 15).stream()
              .map(text -> Message.to(TOPIC).deliverAfter(Duration.ofMinutes(1)).text(text))
              .toList());
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 0, 150, 0));
    pass(Duration.ofMinutes(1));
    relay.drainNow();
    assertThat(broker.count()).isEqualTo(150);
    assertEmpty();
  }
}
