package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Topics.Setting;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.StoreSetting;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A topic that is paused, or at a limit, is held: the others pass, and nothing is reordered. */
public abstract class GateCases extends RelayCases {
  private static final String OTHER = "invoices";

  /** Longer than an idle relay takes to notice what was set. */
  private static final Duration NOTICED = Duration.ofSeconds(6);

  protected GateCases(Opener opener) {
    super(opener);
  }

  private void set(UnaryOperator<Setting> change) throws Exception {
    store().topics().change(TOPIC, change);
    pass(NOTICED);
  }

  private static Message other(String text) {
    return Message.to(OTHER).key(text).text(text);
  }

  @Test
  void a_paused_topic_waits_while_the_others_pass_and_leaves_in_order_once_resumed()
      throws Exception {
    ManualRelay relay = started("a");
    set(setting -> setting.withPaused(true));
    commit(numbered("a", 3));
    commit(numbered("b", 3));
    commit(unkeyed("u"), other("x"), other("y"));
    relay.drainNow();
    assertThat(texts()).containsExactlyInAnyOrder("x", "y");
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 7, 0, 0));
    commit(message("a", "a 3"), other("z"));
    relay.drainNow();
    assertThat(texts()).contains("z").hasSize(3);

    set(setting -> setting.withPaused(false));
    commit(message("a", "a 4"));
    relay.drainNow();

    assertThat(texts("a")).isEqualTo(numbers("a", 5));
    assertThat(texts("b")).isEqualTo(numbers("b", 3));
    assertThat(texts()).contains("u");
    assertEmpty();
  }

  @Test
  void a_pause_is_kept_over_a_restart_and_its_end_is_seen_by_whoever_comes() throws Exception {
    set(setting -> setting.withPaused(true));
    ManualRelay first = started("a");
    commit(numbered("a", 3));
    commit(unkeyed("u"));
    first.drainNow();
    first.close();
    ManualRelay second = started("b");
    second.drainNow();
    assertThat(texts()).isEmpty();
    second.close();
    set(setting -> setting.withPaused(false));

    started("c").drainNow();

    assertThat(texts("a")).isEqualTo(numbers("a", 3));
    assertThat(texts()).contains("u");
    assertEmpty();
  }

  @Test
  void a_failed_message_of_a_paused_topic_waits_on() throws Exception {
    ManualRelay relay = started("a");
    broker.failNext(1, new IllegalStateException("no room"));
    commit(numbered("a", 2));
    relay.drainNow();
    set(setting -> setting.withPaused(true));
    pass(REST);
    relay.drainNow();
    assertThat(texts()).isEmpty();
    set(setting -> setting.withPaused(false));
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 2));
    assertEmpty();
  }

  @Test
  void no_more_than_its_cap_is_in_flight() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    set(setting -> setting.withInFlight(3));
    for (String key : List.of("a", "b", "c", "d", "e")) {
      commit(numbered(key, 2));
    }
    commit(other("x"));
    relay.drainNow();
    assertThat(publisher.texts()).hasSize(4).contains("x");
    while (publisher.texts().size() < 11) {
      int before = publisher.texts().size();
      publisher.answerAll(Ack.delivered());
      pass(Duration.ofSeconds(1));
      relay.drainNow();
      assertThat(publisher.texts().size() - before).isBetween(1, 3);
    }
    publisher.answerAll(Ack.delivered());
    relay.drainNow();
    assertThat(publisher.texts()).doesNotHaveDuplicates();
    assertThat(publisher.texts().stream().filter(text -> text.startsWith("a")))
        .containsExactly("a 0", "a 1");
    assertEmpty();
  }

  @Test
  void no_more_than_its_rate_leaves_in_a_second() throws Exception {
    ManualRelay relay = started("a");
    set(setting -> setting.withPerSecond(10));
    for (int number = 0; number < 60; number++) {
      commit(unkeyed("u " + number));
    }
    commit(other("x"));
    relay.drainNow();
    assertThat(texts()).contains("x");
    int seconds = 0;
    while (broker.count() < 61) {
      int before = broker.count();
      pass(Duration.ofSeconds(1));
      relay.drainNow();
      assertThat(broker.count() - before).isBetween(1, 10);
      seconds++;
    }
    assertThat(seconds).isBetween(5, 20);
    assertEmpty();
  }

  @Test
  void a_limit_that_is_lifted_is_gone() throws Exception {
    ManualRelay relay = started("a");
    set(setting -> setting.withPerSecond(1));
    commit(numbered("a", 50));
    relay.drainNow();
    assertThat(broker.count()).isLessThan(5);
    set(setting -> setting.withPerSecond(null));
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 50));
    assertEmpty();
  }

  /** As with lanes, without keys. */
  public abstract static class ByRows extends RelayCases {
    protected ByRows(Opener opener) {
      super(opener);
    }

    @Override
    protected StoreSetting setting() {
      return StoreSetting.rows();
    }

    @Test
    void a_paused_topic_waits_while_the_others_pass() throws Exception {
      ManualRelay relay = started("a");
      store().topics().change(TOPIC, setting -> setting.withPaused(true));
      commit(unkeyed("u 0"), unkeyed("u 1"), Message.to(OTHER).text("x"));
      relay.drainNow();
      assertThat(texts()).containsExactly("x");
      store().topics().change(TOPIC, setting -> setting.withPaused(false));
      commit(unkeyed("u 2"));
      pass(NOTICED);
      relay.drainNow();
      assertThat(texts()).containsExactlyInAnyOrder("x", "u 0", "u 1", "u 2");
      assertEmpty();
    }

    @Test
    void a_topic_at_its_cap_is_worked_off_without_being_moved() throws Exception {
      ManualRelay relay = started("a");
      store().topics().change(TOPIC, setting -> setting.withInFlight(2));
      for (int number = 0; number < 20; number++) {
        commit(unkeyed("u " + number), Message.to(OTHER).text("x " + number));
      }
      relay.drainNow();
      assertThat(texts()).hasSize(40);
      assertThat(countingListener.parked).hasValue(0);
      assertEmpty();
    }

    @Test
    void a_small_cap_leaves_the_others_their_own() throws Exception {
      store().topics().change(TOPIC, setting -> setting.withInFlight(1));
      store().topics().change(OTHER, setting -> setting.withInFlight(20));
      List<Integer> together = new ArrayList<>();
      Publisher counting =
          flight -> {
            long others =
                flight.envelopes().stream().filter(each -> each.topic().equals(OTHER)).count();
            together.add((int) others);
            flight.envelopes().forEach(each -> flight.ack(each, Ack.delivered()));
          };
      for (int number = 0; number < 50; number++) {
        commit(unkeyed("u " + number), Message.to(OTHER).text("x " + number));
      }
      started(relay("a", counting)).drainNow();
      assertThat(together).contains(20).allMatch(each -> each <= 20);
      assertThat(countingListener.parked).hasValue(0);
      assertEmpty();
    }

    /** A rate rests for less than a second, which is how often one of the workers looks. */
    @Test
    void what_a_rate_has_parked_goes_on_although_nobody_looked_while_it_rested() throws Exception {
      ManualRelay relay = started("a");
      commitAboveTheRate(relay);

      pass(Duration.ofSeconds(1));
      assertAllLeave(relay);
    }

    @Test
    void what_is_above_a_rate_leaves_at_that_rate() throws Exception {
      ManualRelay relay = started("a");
      store().topics().change(TOPIC, setting -> setting.withPerSecond(10));
      pass(NOTICED);
      for (int number = 0; number < 60; number++) {
        commit(unkeyed("u " + number));
      }
      int steps = 0;
      while (broker.count() < 60) {
        pass(Duration.ofMillis(100));
        rest(relay);
        steps++;
      }
      assertThat(steps).isBetween(50, 66);
      assertEmpty();
    }

    @Test
    void what_a_relay_had_parked_that_is_gone_goes_on() throws Exception {
      ManualRelay other = started("b");
      rest(other);
      ManualRelay relay = started("a");
      commitAboveTheRate(relay);
      relay.crash();

      assertAllLeave(other);
    }

    private void commitAboveTheRate(ManualRelay relay) throws Exception {
      store().topics().change(TOPIC, setting -> setting.withPerSecond(10));
      pass(NOTICED);
      relay.drainNow();
      rest(relay);
      for (int number = 0; number < 20; number++) {
        commit(unkeyed("u " + number));
      }
      pass(Duration.ofMillis(100)); // its next look is in 900
      rest(relay);
      assertThat(tableCounts().parked()).isPositive();
    }

    private void assertAllLeave(ManualRelay relay) throws Exception {
      for (int second = 0; second < 20; second++) {
        rest(relay);
        pass(Duration.ofSeconds(1));
      }
      assertThat(texts()).hasSize(20);
      assertEmpty();
    }

    @Test
    void a_failing_broker_burns_no_attempts_and_what_it_missed_leaves_afterwards()
        throws Exception {
      ManualRelay relay =
          started(relay("a", broker.publisher()).retry((n, failing) -> java.util.Optional.empty()));
      broker.fail(envelope -> true, new IllegalStateException("500"));
      for (int number = 0; number < 30; number++) {
        commit(unkeyed("u " + number));
      }
      for (int hour = 0; hour < 5; hour++) {
        relay.drainNow();
        pass(Duration.ofHours(1));
      }
      assertThat(dead()).isEmpty();
      broker.heal();
      relay.drainNow();
      pass(Duration.ofMinutes(10));
      relay.drainNow();
      assertThat(texts()).hasSize(30);
      assertEmpty();
    }
  }
}
