package dev.outbox.tck.relay.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A broker that is away, or that of one topic, costs workers no attempts. */
public abstract class RowOutageCases extends RowRelayCases {
  protected RowOutageCases(Opener opener) {
    super(opener);
  }

  @Test
  void an_outage_counts_nothing_and_parks_nothing() throws Exception {
    ManualRelay relay = started("a");
    broker.down();
    commitNumbered(5);
    for (int hour = 0; hour < 5; hour++) {
      relay.drainNow();
      pass(Duration.ofHours(1));
    }
    assertThat(tableCounts()).isEqualTo(new TableCounts(5, 0, 0, 0));
    broker.up();
    relay.drainNow();
    assertThat(texts()).hasSize(5);
    assertThat(countingListener.parked).hasValue(0);
    assertEmpty();
  }

  @Test
  void a_parked_message_outlives_an_outage() throws Exception {
    ManualRelay relay = started("a");
    broker.failNext(1, new IllegalStateException("no room"));
    commitNumbered(1);
    relay.drainNow();
    broker.down();
    pass(REST);
    relay.drainNow();
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 1, 0, 0));
    broker.up();
    pass(PAUSE);
    relay.drainNow();
    assertThat(texts()).hasSize(1);
    assertEmpty();
  }

  @Test
  void sick_parked_messages_do_not_keep_a_ready_one_from_trying_whether_the_broker_is_back()
      throws Exception {
    ManualRelay relay = started("a");
    broker.fail(envelope -> true, new IllegalStateException("sick"));
    commitNumbered(3);
    relay.drainNow();
    broker.heal();
    broker.fail(envelope -> true, new ConnectException("refused"));
    pass(REST);
    relay.drainNow();
    commit(unkeyed("healthy"));
    broker.heal();
    broker.fail(
        envelope -> !envelope.payload().text().equals("healthy"),
        new IllegalStateException("sick"));
    for (int probe = 0; probe < 3; probe++) {
      pass(Duration.ofMinutes(1));
      relay.drainNow();
    }
    assertThat(texts()).containsExactly("healthy");
  }

  @Test
  void a_topic_whose_broker_is_down_does_not_stop_one_that_was_quiet() throws Exception {
    ManualRelay relay = started(relay("a", route("down", "quiet")));
    commit(Message.to("quiet").text("before"));
    relay.drainNow();
    commit(Message.to("down").text("waits"));
    relay.drainNow();
    pass(Duration.ofSeconds(61));
    commit(Message.to("quiet").text("after"));
    drainAndPass(relay, 10);
    assertThat(texts()).containsExactly("before", "after");
    assertThat(tableCounts().ready() + tableCounts().parked()).isEqualTo(1);
  }

  @Test
  void nor_does_a_topic_without_a_publisher_that_was_met_first() throws Exception {
    ManualRelay relay = started(relay("a", route("down", "known")));
    commit(Message.to("unknown").text("waits"));
    relay.drainNow();
    commit(Message.to("known").text("leaves"));
    drainAndPass(relay, 10);
    assertThat(texts()).containsExactly("leaves");
    assertThat(tableCounts().ready() + tableCounts().parked()).isEqualTo(1);
  }

  /** The broker of one topic is down, the other goes to the broker of the test. */
  private Publisher route(String down, String healthy) {
    Publisher refusing =
        Publisher.blocking(
            envelope -> {
              throw new ConnectException("refused");
            });
    return Publisher.route(Map.of(down, refusing, healthy, broker.publisher()));
  }

  private void drainAndPass(ManualRelay relay, int seconds) throws Exception {
    for (int second = 0; second < seconds; second++) {
      relay.drainNow();
      pass(Duration.ofSeconds(1));
    }
  }
}
