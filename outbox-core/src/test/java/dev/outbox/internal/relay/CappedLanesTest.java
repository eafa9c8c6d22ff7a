package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.message.Envelope;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.RetryState;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lane where a topic with a cap has a backlog that was released, and others fall due. */
class CappedLanesTest {
  private static final Lane ONE = new Lane(1);

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private long ids;

  @BeforeEach
  void releaseABacklog() {
    lanes.settings = Map.of("invoices", Setting.NONE.withPaused(true));
    for (int i = 0; i < 1000; i++) {
      lanes.put(StoredEnvelope.ready(++ids, ONE, Samples.envelope("invoices", null)));
    }
    relay.pass(10_000);
    relay.latency = Duration.ofMillis(100);
    lanes.settings = Map.of("invoices", Setting.NONE.withInFlight(2));
    relay.pass(5000);
    assertThat(lanes.due.get(ONE)).hasSizeGreaterThan(900);
    relay.published.clear();
  }

  @Test
  void a_message_of_another_topic_does_not_wait_for_the_backlog() {
    fallDue(1, "orders");

    relay.pass(5000);

    assertThat(published("orders")).isEqualTo(1);
  }

  @Test
  void many_messages_of_another_topic_do_not_stop_the_backlog() {
    fallDue(5000, "orders");

    relay.pass(5000);

    assertThat(published("invoices")).isGreaterThan(10);
    assertThat(published("orders")).isGreaterThan(1000);
  }

  private void fallDue(int count, String topic) {
    for (int i = 0; i < count; i++) {
      lanes
          .due
          .get(ONE)
          .add(
              new StoredEnvelope(++ids, ONE, Samples.envelope(topic, null), RetryState.NONE, null));
    }
  }

  private long published(String topic) {
    return relay.envelopes().stream().map(Envelope::topic).filter(topic::equals).count();
  }
}
