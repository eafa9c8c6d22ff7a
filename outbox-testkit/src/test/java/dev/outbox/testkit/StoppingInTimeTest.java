package dev.outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Send;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A publisher of a factory stops before the deadline of its flight, and when its lease is over. */
class StoppingInTimeTest {
  private static final String TOPIC = "orders.placed";
  private static final int MESSAGES = 100;

  private final SettableClock clock = SettableClock.create();
  private final InMemoryStore store = InMemoryStore.builder().clock(clock).lanes(1).build();
  private final InMemoryBroker broker = InMemoryBroker.withClock(clock);
  private final AtomicInteger attempts = new AtomicInteger();
  private int sent;

  @SuppressWarnings("ImmutableEnumChecker") // of functions, which keep nothing
  enum Factory {
    BLOCKING(Publisher::blocking),
    ASYNC(
        send ->
            Publisher.async(
                envelope -> {
                  CompletableFuture<String> answer = new CompletableFuture<>();
                  try {
                    send.send(envelope);
                    answer.complete("receipt");
                  } catch (Exception e) {
                    answer.completeExceptionally(e);
                  }
                  return answer;
                })),
    BATCH(
        send ->
            Publisher.batch(
                list -> {
                  for (Envelope envelope : list) {
                    send.send(envelope);
                  }
                  return Collections.nCopies(list.size(), Ack.delivered());
                }));

    private final Function<Send, Publisher> make;

    Factory(Function<Send, Publisher> make) {
      this.make = make;
    }
  }

  @ParameterizedTest
  @EnumSource(Factory.class)
  void a_hot_key_at_the_deadline_burns_no_attempt(Factory factory) throws Exception {
    Publisher slow =
        factory.make.apply(
            envelope -> {
              clock.advance(Duration.ofSeconds(1));
              broker.receive(envelope);
            });
    commit();
    try (ManualRelay relay =
        relay("a", slow).lease(Duration.ofMinutes(10), Duration.ofMinutes(1)).build()) {
      relay.drainNow();
    }
    assertThat(broker.texts(TOPIC, "hot")).isEqualTo(numbers());
    assertThat(attempts).hasValue(0);
    assertThat(store.contents().isDrained()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Factory.class)
  void a_relay_that_was_paused_until_its_lease_was_over_starts_no_other_send(Factory factory)
      throws Exception {
    Publisher pausing =
        factory.make.apply(
            envelope -> {
              if (++sent == 3) {
                clock.advance(Duration.ofMinutes(1));
                takeOver();
              }
              broker.receive(envelope);
            });
    commit();
    try (ManualRelay relay = relay("a", pausing).publishDeadline(Duration.ofMinutes(10)).build()) {
      relay.drainNow();
    }
    List<String> expected = new ArrayList<>(List.of("0", "1")); // delivered, not yet settled
    expected.addAll(numbers()); // by the other relay
    expected.add("2"); // was in flight when the relay stood still
    assertThat(broker.texts(TOPIC, "hot")).isEqualTo(expected);
    assertThat(sent).isEqualTo(3);
    assertThat(attempts).hasValue(0);
  }

  /** Another relay takes the lane and publishes all that is left. */
  private void takeOver() {
    try (ManualRelay other = relay("b", broker.publisher()).build()) {
      other.drainNow();
    }
  }

  private ManualRelay.Builder relay(String name, Publisher publisher) {
    return ManualRelay.builder(store, publisher)
        .name(name)
        .clock(clock)
        .publishDeadline(Duration.ofSeconds(30))
        .retry(
            (number, failing) -> {
              attempts.incrementAndGet();
              return Optional.of(Duration.ofSeconds(1));
            });
  }

  private void commit() throws Exception {
    try (Connection connection = store.begin()) {
      for (String number : numbers()) {
        Outbox.create(store).enqueue(connection, Message.to(TOPIC).key("hot").text(number));
      }
      connection.commit();
    }
  }

  private static List<String> numbers() {
    return IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList();
  }

  /** Its worker waits for the answer; by lanes the relay does not. */
  @Test
  @Timeout(20)
  void by_rows_a_silent_publisher_is_not_waited_for_after_its_deadline_though_the_clock_rests()
      throws Exception {
    InMemoryStore rows = InMemoryStore.builder().clock(clock).rows().build();
    Outbox outbox = Outbox.create(rows);
    Message message = Message.to(TOPIC).text("x");
    Transactions.run(rows.dataSource(), outbox, connection -> outbox.enqueue(connection, message));
    try (ManualRelay relay =
        ManualRelay.builder(rows, flight -> {})
            .clock(clock)
            .publishDeadline(Duration.ofSeconds(1))
            .build()) {
      relay.drainNow();
    }
    assertThat(rows.contents().parked()).hasSize(1);
  }
}
