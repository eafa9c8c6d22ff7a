package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LiveRelay;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A broker that was down, and no message is left to probe it with. */
class IdleBreakerTest {
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay = new SteppedRelay(lanes);

  @Test
  void a_topic_whose_last_message_was_rejected_is_not_reported_down_for_ever() {
    rejectTheProbe();
    assertThat(relay.status().brokersDown()).containsOnlyKeys(Samples.TOPIC);

    relay.pass(Duration.ofMinutes(2));

    assertThat(relay.status().brokersDown()).isEmpty();
  }

  @Test
  void nor_does_it_make_the_relay_give_its_lanes_away() {
    rejectTheProbe();
    relay.pass(Duration.ofMinutes(2));
    lanes.others.add(new LiveRelay("other", true, Samples.START));
    lanes.asked.clear();

    relay.pass(Duration.ofMinutes(5));

    assertThat(lanes.asked("beat")).isNotEmpty().allMatch(sharing -> sharing.equals(List.of(true)));
  }

  @Test
  void its_next_message_is_a_probe() {
    rejectTheProbe();
    relay.pass(Duration.ofMinutes(2));
    relay.broker = envelope -> DOWN;
    int sent = relay.published.size();
    put(2);
    put(3);
    relay.wake(new Lane(1));

    relay.pass(220); // told every tenth of a second

    assertThat(relay.published).hasSize(sent + 1);
    assertThat(relay.status().brokersDown()).containsOnlyKeys(Samples.TOPIC);
  }

  @Test
  void a_broker_for_which_messages_wait_is_down_however_long_it_takes() {
    relay.broker = envelope -> DOWN;
    put(1);
    relay.pass(1000);
    lanes.asked.clear();

    relay.pass(Duration.ofMinutes(10));

    assertThat(relay.status().brokersDown()).containsOnlyKeys(Samples.TOPIC);
    assertThat(lanes.asked("beat"))
        .isNotEmpty()
        .allMatch(sharing -> sharing.equals(List.of(false)));
  }

  private void rejectTheProbe() {
    relay.broker = envelope -> DOWN;
    put(1);
    relay.pass(100);
    relay.broker = envelope -> Ack.rejected("no such account");
    relay.pass(1000);
    assertThat(relay.status().counts().deadLettered()).isEqualTo(1);
  }

  private void put(long id) {
    lanes.put(StoredEnvelope.ready(id, new Lane(1), Samples.envelope(null)));
  }
}
