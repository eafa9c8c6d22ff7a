package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.RelayStatus.Health;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RelayListener.Outcome;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a listener hears, what the log says and what the status shows of a relay at work. */
class ListenerTest {
  private final List<String> heard = new ArrayList<>();
  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final SteppedRelay relay =
      new SteppedRelay(lanes, Samples.settings(new Hearing()), Runnable::run);

  private final class Hearing implements RelayListener {
    @Override
    public void publishing(String topic, int count) {
      heard.add("publishing " + count + " of " + topic);
    }

    @Override
    public void published(Published published) {
      heard.add(
          published.count() + " " + published.outcome() + " in " + published.time().toMillis());
    }

    @Override
    public void failed(Envelope envelope, int attempt, Duration rest, String error) {
      heard.add("attempt " + attempt + " failed, next in " + rest.toSeconds() + ": " + error);
    }

    @Override
    public void brokerDown(String topic) {
      heard.add(topic + " is down");
    }

    @Override
    public void brokerBack(String topic) {
      heard.add(topic + " is back");
    }

    @Override
    public void claimed(Set<Integer> lanes) {
      heard.add("claimed " + lanes);
    }
  }

  @Test
  void a_delivery_is_reported_when_it_is_handed_out_and_when_it_is_answered() {
    relay.latency = Duration.ofMillis(20);
    put(1);
    relay.pass(100);

    assertThat(heard)
        .containsExactly("claimed [0, 1, 2, 3]", "publishing 1 of orders", "1 DELIVERED in 20");
  }

  @Test
  void a_failure_is_reported_with_its_attempt_cause_and_next_time_and_degrades() {
    relay.broker = envelope -> Ack.failed(new IllegalStateException("no"));
    put(1);
    List<String> lines = LogLines.of(() -> relay.pass(1000));

    assertThat(heard)
        .contains(
            "1 FAILED in 0", "attempt 1 failed, next in 7: java.lang.IllegalStateException: no");
    assertThat(lines).anyMatch(line -> line.contains("failed in attempt 1"));
    assertThat(relay.status().health()).isEqualTo(Health.DEGRADED);
    assertThat(relay.status().failing()).containsEntry("orders", 1);
    assertThat(relay.status().reason()).contains("{orders=1}");
  }

  @Test
  void a_dead_letter_degrades_for_an_hour_and_is_logged() {
    relay.broker = envelope -> Ack.rejected("bad");
    put(1);
    List<String> lines = LogLines.of(() -> relay.pass(1000));

    assertThat(lines).anyMatch(line -> line.contains("became a dead letter (REJECTED)"));
    assertThat(relay.status().health()).isEqualTo(Health.DEGRADED);
    assertThat(relay.status().deadLettersOfLastHour()).containsEntry("orders", 1);

    relay.pass(Duration.ofMinutes(61));
    assertThat(relay.status().health()).isEqualTo(Health.UP);
  }

  @Test
  void a_broker_that_goes_down_and_comes_back_is_reported_once_each() {
    relay.broker = envelope -> Ack.unavailable(new IllegalStateException("down"));
    for (long id = 1; id <= 20; id++) {
      put(id);
    }
    relay.pass(2000);
    assertThat(heard).contains("orders is down").doesNotContain("orders is back");
    assertThat(heard).anyMatch(line -> line.contains(Outcome.UNAVAILABLE.name()));

    relay.broker = envelope -> Ack.delivered();
    relay.pass(60_000);
    assertThat(heard).containsOnlyOnce("orders is down").containsOnlyOnce("orders is back");
  }

  private void put(long id) {
    lanes.put(StoredEnvelope.ready(id, new Lane(1), Samples.envelope("a" + id)));
  }
}
