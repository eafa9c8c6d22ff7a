package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.fixture.Dose;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that is down is distinguished from messages that fail. */
public abstract class BreakerCases extends RelayCases {
  /** More than it takes to count as an outage of the broker. */
  private static final int SICK = 25;

  private static final int HOURS = Dose.daily(10, 30);

  private final AtomicInteger counted = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();

  protected BreakerCases(Opener opener) {
    super(opener);
  }

  /** A relay that gives up at the first counted attempt. */
  private ManualRelay impatient(Publisher publisher) {
    return started(
        relay("a", publisher)
            .retry(
                (attempts, failing) -> {
                  counted.incrementAndGet();
                  return attempts > 1 ? Optional.empty() : Optional.of(REST);
                }));
  }

  private Publisher counting() {
    return Publisher.blocking(
        envelope -> {
          sent.incrementAndGet();
          broker.receive(envelope);
        });
  }

  @Test
  void a_broker_that_fails_everything_for_hours_kills_no_message() throws Exception {
    ManualRelay relay = impatient(counting());
    broker.fail(envelope -> true, new IllegalStateException("503"));
    for (int key = 0; key < 40; key++) {
      commit(numbered("k" + key, 2));
    }
    for (int hour = 0; hour < HOURS; hour++) {
      relay.drainNow();
      pass(Duration.ofHours(1));
    }
    assertThat(dead()).isEmpty();
    broker.heal();
    for (int round = 0; round < 10; round++) {
      relay.drainNow();
      pass(Duration.ofMinutes(10));
    }
    for (int key = 0; key < 40; key++) {
      assertThat(texts("k" + key)).isEqualTo(numbers("k" + key, 2));
    }
    assertEmpty();
  }

  @Test
  void one_failing_key_never_stops_the_others() throws Exception {
    ManualRelay relay = started("a");
    broker.fail(
        envelope -> String.valueOf(envelope.key()).equals("bad"),
        new IllegalStateException("no room"));
    commit(numbered("bad", 2));
    for (int round = 0; round < 30; round++) {
      commit(message("good" + round, "good " + round));
      relay.drainNow();
      pass(REST);
    }
    assertThat(texts()).hasSize(30);
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 0));
  }

  @Test
  void probes_go_out_one_at_a_time_and_more_and_more_seldom() throws Exception {
    ManualRelay relay = impatient(counting());
    broker.fail(envelope -> true, new ConnectException("refused"));
    for (int key = 0; key < 20; key++) {
      commit(message("k" + key, "k"));
    }
    relay.drainNow();
    sent.set(0);
    for (int second = 0; second < 120; second++) {
      pass(Duration.ofSeconds(1));
      int before = sent.get();
      relay.drainNow();
      assertThat(sent.get() - before).isLessThanOrEqualTo(1);
    }
    assertThat(sent.get()).isBetween(5, 12);
    assertThat(counted).hasValue(0);
    assertThat(tableCounts().ready() + tableCounts().parked()).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messages_that_fail_for_ever_do_not_keep_a_broker_closed_that_is_back(boolean suspected)
      throws Exception {
    ManualRelay relay = started("a");
    if (suspected) {
      broker.fail(envelope -> true, new ConnectException("refused"));
      commit(message("healthy", "healthy 0"));
      relay.drainNow();
    }
    broker.heal();
    broker.fail(
        envelope -> !String.valueOf(envelope.key()).equals("healthy"),
        new IllegalStateException("sick"));
    for (int key = 0; key < SICK; key++) {
      commit(message("sick" + key, "sick"));
    }
    relay.drainNow();
    if (!suspected) {
      commit(message("healthy", "healthy 0"));
    }
    for (int probe = 0; probe < 3 * SICK && texts().isEmpty(); probe++) {
      pass(Duration.ofMinutes(1));
      relay.drainNow();
    }
    assertThat(texts()).containsExactly("healthy 0");
  }

  /** As messages are that make the broker close the connection. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 500})
  void messages_that_are_each_an_outage_do_not_keep_a_broker_closed(int batch) throws Exception {
    ManualRelay relay = started(relay("a", counting()).batch(batch));
    broker.fail(
        envelope -> !String.valueOf(envelope.key()).equals("healthy"),
        new ConnectException("closed by the broker"));
    for (int key = 0; key < SICK; key++) {
      commit(message("sick" + key, "sick"));
    }
    relay.drainNow();
    commit(message("healthy", "healthy 0"));
    for (int probe = 0; probe < 10 * SICK && texts().isEmpty(); probe++) {
      pass(Duration.ofMinutes(1));
      relay.drainNow();
    }
    assertThat(texts()).containsExactly("healthy 0");
  }

  @Test
  void a_topic_whose_broker_is_down_does_not_stop_the_others() throws Exception {
    Publisher down =
        Publisher.blocking(
            envelope -> {
              throw new ConnectException("refused");
            });
    ManualRelay relay = impatient(Publisher.route(Map.of(TOPIC, broker.publisher(), "down", down)));
    commit(message("a", "a 0"));
    relay.drainNow();
    for (int number = 0; number < 600; number++) {
      commit(Message.to("down").key("k" + number % 7).text("down"));
    }
    commit(message("a", "a 1"), message("b", "b 0"));
    for (int round = 0; round < 10; round++) {
      relay.drainNow();
      pass(Duration.ofSeconds(1));
    }
    assertThat(texts("a")).isEqualTo(numbers("a", 2));
    assertThat(texts("b")).isEqualTo(numbers("b", 1));
    assertThat(counted).hasValue(0);
    assertThat(tableCounts().ready() + tableCounts().parked()).isEqualTo(600);
  }

  @Test
  void a_relay_whose_brokers_are_down_leaves_its_lanes_to_a_healthy_one() throws Exception {
    Publisher down =
        Publisher.blocking(
            envelope -> {
              throw new ConnectException("refused");
            });
    ManualRelay broken = started(relay("broken", down));
    commit(message("a", "a 0"), message("b", "b 0"), message("c", "c 0"), message("d", "d 0"));
    broken.drainNow();
    ManualRelay healthy = started(relay("healthy", broker.publisher()));
    for (int round = 0; round < 6; round++) {
      healthy.drainNow();
      broken.drainNow();
      pass(RENEWAL);
    }
    for (int number = 0; number < 40; number++) {
      commit(message("k" + number, "k"));
    }
    healthy.drainNow();
    broken.drainNow();
    assertThat(broker.count()).as("three of four lanes").isGreaterThan(20);
    broken.close();
    pass(RENEWAL);
    healthy.drainNow();
    assertThat(broker.count()).isEqualTo(44);
    assertEmpty();
  }
}
