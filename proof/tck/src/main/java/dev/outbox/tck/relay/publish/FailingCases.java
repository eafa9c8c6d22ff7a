package dev.outbox.tck.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.tck.fixture.HoldingPublisher;
import dev.outbox.tck.fixture.OneOfAKey;
import dev.outbox.tck.fixture.Opener;
import dev.outbox.tck.fixture.RelayCases;
import dev.outbox.tck.fixture.TableCounts;
import dev.outbox.testkit.ManualRelay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A failed message holds its key and nothing else. */
public abstract class FailingCases extends RelayCases {
  protected FailingCases(Opener opener) {
    super(opener);
  }

  private void failOn(String text) {
    broker.fail(
        envelope -> envelope.payload().text().equals(text), new IllegalStateException("no room"));
  }

  @Test
  void a_failed_message_holds_back_the_rest_of_its_key_pipelined() throws Exception {
    holdsBack(broker.publisher());
  }

  @Test
  void a_failed_message_holds_back_the_rest_of_its_key_one_at_a_time() throws Exception {
    holdsBack(new OneOfAKey(broker.publisher()));
  }

  private void holdsBack(Publisher publisher) throws Exception {
    ManualRelay relay = started(relay("a", publisher));
    failOn("a 1");
    commit(numbered("a", 4));
    commit(numbered("b", 4));
    commit(unkeyed("u"));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 0");
    assertThat(texts("b")).isEqualTo(numbers("b", 4));
    assertThat(texts()).contains("u");
    broker.heal();
    commit(message("a", "a 4"));
    relay.drainNow();
    assertThat(texts("a")).containsExactly("a 0");
    assertThat(tableCounts()).isEqualTo(new TableCounts(0, 4, 0, 0));
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 5));
    assertEmpty();
  }

  @Test
  void what_is_enqueued_while_a_key_is_held_leaves_after_it() throws Exception {
    ManualRelay relay = started("a");
    failOn("a 0");
    commit(message("a", "a 0"));
    relay.drainNow();
    for (int number = 1; number < 6; number++) {
      commit(message("a", "a " + number));
      if (number % 2 == 0) {
        relay.drainNow();
      }
    }
    broker.heal();
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 6));
    assertEmpty();
  }

  @Test
  void a_free_key_leaves_from_the_ready_table_again() throws Exception {
    ManualRelay relay = started("a");
    failOn("a 0");
    commit(message("a", "a 0"));
    relay.drainNow();
    broker.heal();
    pass(REST);
    relay.drainNow();
    commit(message("a", "a 1"));
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 2));
    assertThat(countingListener.parked).hasValue(1);
    assertEmpty();
  }

  @Test
  void a_key_is_still_held_for_the_next_relay() throws Exception {
    ManualRelay first = started("a");
    failOn("a 0");
    commit(numbered("a", 2));
    first.drainNow();
    first.close();
    broker.heal();
    commit(message("a", "a 2"));
    ManualRelay next = started("b");
    next.drainNow();
    assertThat(texts()).isEmpty();
    pass(REST);
    next.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 3));
    assertEmpty();
  }

  @Test
  void a_message_that_fails_again_and_again_waits_as_the_policy_says() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    Publisher failing =
        Publisher.blocking(
            envelope -> {
              tries.incrementAndGet();
              throw new IllegalStateException("no room");
            });
    ManualRelay relay =
        started(
            relay("a", failing)
                .retry((attempts, time) -> Optional.of(Duration.ofSeconds(20L * attempts))));
    commit(message("a", "a 0"), message("a", "a 1"));
    for (int attempt = 1; attempt <= 4; attempt++) {
      relay.drainNow();
      assertThat(tries).hasValue(attempt);
      pass(Duration.ofSeconds(20L * attempt - 5));
      relay.drainNow();
      assertThat(tries).hasValue(attempt);
      pass(Duration.ofSeconds(5));
    }
  }

  @Test
  void the_policy_hears_attempts_and_time_by_the_database() throws Exception {
    StringBuilder heardOf = new StringBuilder();
    ManualRelay relay =
        started(
            relay(
                    "a",
                    Publisher.blocking(
                        envelope -> {
                          throw new IllegalStateException();
                        }))
                .retry(
                    (attempts, failing) -> {
                      heardOf.append(attempts).append('@').append(failing.toSeconds()).append(' ');
                      return Optional.of(REST);
                    }));
    commit(message("a", "a 0"));
    relay.drainNow();
    pass(Duration.ofSeconds(30));
    relay.drainNow();
    pass(Duration.ofSeconds(30));
    relay.drainNow();
    assertThat(heardOf).hasToString("1@0 2@30 3@60 ");
  }

  @Test
  void a_publisher_can_ask_for_a_longer_rest_than_the_policy() throws Exception {
    HoldingPublisher publisher = holding();
    ManualRelay relay = started(relay("a", publisher));
    commit(message("a", "a 0"));
    relay.drainNow();
    publisher.answerAll(
        new Ack.Failed(new IllegalStateException("slow down"), Duration.ofMinutes(2)));
    relay.drainNow();
    pass(Duration.ofSeconds(110));
    relay.drainNow();
    assertThat(publisher.flights()).hasSize(1);
    pass(REST);
    relay.drainNow();
    assertThat(publisher.flights()).hasSize(2);
  }

  @Test
  void each_key_is_held_for_itself() throws Exception {
    ManualRelay relay = started("a");
    List<String> failing = List.of("a 0", "b 1", "c 2");
    failing.forEach(this::failOn);
    for (String key : List.of("a", "b", "c", "d")) {
      commit(numbered(key, 3));
    }
    relay.drainNow();
    assertThat(texts("a")).isEmpty();
    assertThat(texts("b")).isEqualTo(numbers("b", 1));
    assertThat(texts("c")).isEqualTo(numbers("c", 2));
    assertThat(texts("d")).isEqualTo(numbers("d", 3));
    broker.heal();
    pass(REST);
    relay.drainNow();
    for (String key : List.of("a", "b", "c", "d")) {
      assertThat(texts(key)).isEqualTo(numbers(key, 3));
    }
    assertEmpty();
  }

  @Test
  void the_same_key_of_another_topic_goes_on() throws Exception {
    ManualRelay relay = started("a");
    failOn("a 0");
    commit(message("a", "a 0"), Message.to("other").key("a").text("goes on"));
    relay.drainNow();
    assertThat(broker.texts("other", "a")).containsExactly("goes on");
  }

  @Test
  void a_failed_message_without_a_key_holds_nobody() throws Exception {
    ManualRelay relay = started("a");
    failOn("u 3");
    commit(numbers("u", 10).stream().map(RelayCases::unkeyed).toList());
    relay.drainNow();
    assertThat(texts()).hasSize(9).doesNotContain("u 3");
    broker.heal();
    pass(REST);
    relay.drainNow();
    assertThat(texts()).hasSize(10).contains("u 3");
    assertEmpty();
  }

  @Test
  void a_follower_that_fails_in_its_turn_holds_those_behind_it() throws Exception {
    ManualRelay relay = started("a");
    failOn("a 0");
    commit(numbered("a", 5));
    relay.drainNow();
    broker.heal();
    failOn("a 2");
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 2));
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 2));
    broker.heal();
    pass(REST);
    relay.drainNow();
    assertThat(texts("a")).isEqualTo(numbers("a", 5));
    assertEmpty();
  }
}
