package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Of what was in flight together some is delivered, and some meets an outage. */
class MixedAnswersTest {
  private static final Ack DOWN = Ack.unavailable(new IllegalStateException("down"));
  private static final Duration ONE_ANSWER = Duration.ofNanos(1000);
  private static final Duration PUBLISH_DEADLINE = SteppedRelay.SETTINGS.deadlines().publish();

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay = new SteppedRelay(lanes);
  private final Set<Envelope> delivered = new HashSet<>();
  private long ids;

  @Test
  void one_outage_is_told_once_when_it_begins_and_once_when_it_ends() {
    put(128); // one flight of each lane
    relay.broker =
        envelope -> {
          relay.elapse(ONE_ANSWER);
          boolean last = number(envelope) > 124; // of its flight
          return last || number(envelope) % 3 == 0 ? DOWN : Ack.delivered();
        };

    List<String> lines =
        LogLines.of(
            () -> {
              relay.pass(100);
              relay.broker = envelope -> DOWN;
              relay.pass(10_000);
              relay.broker = envelope -> Ack.delivered();
              relay.pass(60_000);
            });

    assertOneOutage(lines);
    assertThat(relay.published)
        .as("128, those that met it again, and the probes")
        .hasSizeLessThan(128 + 45 + 10);
  }

  @Test
  void what_times_out_after_the_broker_is_back_is_of_the_same_outage() {
    relay.silenceIsAnOutage = true;
    relay.broker = envelope -> null;

    List<String> lines =
        LogLines.of(
            () -> {
              put(1);
              relay.pass(1000);
              put(3);
              relay.pass(1000);
              relay.broker = envelope -> Ack.delivered();
              relay.pass(PUBLISH_DEADLINE.plusMinutes(1));
            });

    assertOneOutage(lines);
    assertThat(relay.envelopes()).as("each is sent twice").hasSize(8);
  }

  @Test
  void messages_that_always_meet_an_outage_do_not_keep_others_of_their_topic_waiting() {
    relay.latency = Duration.ofMillis(5);
    relay.broker =
        envelope -> {
          relay.elapse(ONE_ANSWER);
          if (number(envelope) % 50 == 0) {
            return DOWN;
          }
          delivered.add(envelope);
          return Ack.delivered();
        };
    put(4000);

    LogLines.of(() -> relay.pass(2000));

    assertThat(delivered).hasSize(3920);
  }

  private static void assertOneOutage(List<String> lines) {
    assertThat(lines).filteredOn(line -> line.contains("its broker is down")).hasSize(1);
    assertThat(lines).filteredOn(line -> line.contains("resumes")).hasSize(1);
  }

  private static int number(Envelope envelope) {
    return Integer.parseInt(String.valueOf(envelope.key().value()));
  }

  private void put(int count) {
    for (int i = 0; i < count; i++) {
      lanes.put(StoredEnvelope.ready(++ids, new Lane((int) (ids % 4)), Samples.envelope("" + ids)));
    }
  }
}
