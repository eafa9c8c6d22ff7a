package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.fixture.OneOfAKey;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A broker that is down costs no attempts. */
public abstract class OutageCases extends RelayCases {
  protected OutageCases(Opener opener) {
    super(opener);
  }

  @Test
  void an_outage_counts_nothing_parks_nothing_and_ends_in_order_pipelined() throws Exception {
    outage(broker.publisher());
  }

  @Test
  void an_outage_counts_nothing_parks_nothing_and_ends_in_order_one_at_a_time() throws Exception {
    outage(new OneOfAKey(broker.publisher()));
  }

  private void outage(Publisher publisher) throws Exception {
    AtomicInteger counted = new AtomicInteger();
    ManualRelay relay =
        started(
            relay("a", publisher)
                .retry(
                    (attempts, failing) -> {
                      counted.incrementAndGet();
                      return Optional.empty();
                    }));
    broker.down();
    for (int hour = 0; hour < 8; hour++) {
      commit(message("a", "a " + hour), message("b", "b " + hour), unkeyed("u"));
      relay.drainNow();
      pass(Duration.ofHours(1));
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(24, 0, 0, 0));
    broker.up();
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 8));
    assertThat(texts("b")).isEqualTo(numbers("b", 8));
    assertThat(texts()).hasSize(24);
    assertThat(counted).hasValue(0);
    assertEmpty();
  }

  @Test
  void an_outage_in_the_middle_of_a_flight_keeps_the_order() throws Exception {
    ManualRelay relay = started("a");
    AtomicInteger sent = new AtomicInteger();
    broker.fail(envelope -> sent.incrementAndGet() > 5, new java.net.ConnectException("refused"));
    commit(numbered("a", 10));
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 5));
    broker.heal();
    pass(PAUSE);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 10));
    assertThat(countingListener.parked).hasValue(0);
    assertEmpty();
  }

  @Test
  void an_outage_while_parked_messages_are_due_counts_nothing() throws Exception {
    ManualRelay relay = started(relay("a", broker.publisher()));
    broker.failNext(1, new IllegalStateException("no room"));
    commit(numbered("a", 3));
    relay.drainNow();
    broker.down();
    pass(REST);
    relay.drainNow();
    pass(PAUSE);
    relay.drainNow();
    assertThat(countingListener.parked).hasValue(3);
    broker.up();
    pass(PAUSE);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 3));
    assertEmpty();
  }

  @Test
  void a_topic_that_the_route_does_not_know_waits_and_the_others_go_on() throws Exception {
    Publisher known = broker.publisher();
    ManualRelay relay = started(relay("a", Publisher.route(Map.of(TOPIC, known))));
    commit(
        Message.to("forgotten").key("a").text("first"),
        message("a", "a 0"),
        Message.to("forgotten").key("a").text("second"),
        message("b", "b 0"));
    relay.drainNow();
    assertThat(texts()).containsExactlyInAnyOrder("a 0", "b 0");
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 2, 0, 0));
    relay.close();
    ManualRelay fixed =
        started(relay("b", Publisher.route(Map.of(TOPIC, known, "forgotten", known))));
    fixed.drainNow();
    assertThat(broker.texts("forgotten", "a")).isEqualTo(List.of("first", "second"));
    assertEmpty();
  }
}
