package dev.outbox.internal.publish;

import static dev.outbox.publish.RecordingFlight.keyed;
import static dev.outbox.publish.RecordingFlight.keyless;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.RecordingFlight;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AsyncPublisherTest {
  private final Envelope first = keyed("a");
  private final Envelope second = keyed("b");
  private final RecordingFlight flight = RecordingFlight.of(first, second);
  private final Map<Envelope, CompletableFuture<String>> sends = new HashMap<>();

  @Test
  void answers_when_a_send_ends_however_late() throws Exception {
    Publisher.async(this::start).publish(flight);
    assertThat(flight.kinds()).isEqualTo(flight.none());

    sends.get(second).complete("receipt");
    assertThat(flight.answer(first)).isNull();
    assertThat(flight.answer(second)).isEqualTo(Ack.delivered());

    sends.get(first).completeExceptionally(new TimeoutException());
    assertThat(flight.answer(first)).isInstanceOf(Ack.Unavailable.class);
  }

  @Test
  void a_dependent_stage_fails_with_the_first_cause() throws Exception {
    IllegalStateException cause = new IllegalStateException("no");
    Publisher.async(envelope -> start(envelope).thenApply(String::length)).publish(flight);

    sends.get(first).completeExceptionally(cause);

    assertThat(flight.answer(first)).isEqualTo(Ack.failed(cause));
  }

  @Test
  void a_send_that_throws_fails_alone() throws Exception {
    Publisher.async(
            envelope -> {
              if (envelope.equals(first)) {
                throw new IllegalStateException("closed");
              }
              return start(envelope);
            })
        .publish(flight);

    assertThat(flight.answer(first)).isInstanceOf(Ack.Failed.class);
    assertThat(sends).containsOnlyKeys(second);
  }

  @Test
  void a_send_that_throws_an_Error_fails_alone() throws Exception {
    Publisher.async(
            envelope -> {
              if (envelope.equals(first)) {
                throw new NoClassDefFoundError("codec");
              }
              return start(envelope);
            })
        .publish(flight);

    assertThat(flight.answer(first)).isInstanceOf(Ack.Failed.class);
    assertThat(sends).containsOnlyKeys(second);
  }

  @Test
  void a_missing_stage_fails_alone() throws Exception {
    Publisher.async(envelope -> envelope.equals(first) ? null : start(envelope)).publish(flight);

    assertThat(flight.answer(first)).isInstanceOf(Ack.Failed.class);
    assertThat(sends).containsOnlyKeys(second);
  }

  @Test
  void the_next_of_a_key_starts_when_the_one_before_was_delivered() throws Exception {
    Envelope a2 = keyed("a");
    Envelope elsewhere = RecordingFlight.envelope("invoices", "a");
    Envelope none = keyless();
    RecordingFlight whole = RecordingFlight.of(first, second, a2, elsewhere, none);
    Publisher.async(this::start).publish(whole);
    assertThat(sends).containsOnlyKeys(first, second, elsewhere, none);

    sends.get(first).complete("receipt");
    assertThat(sends).containsKey(a2);
    assertThat(whole.answer(first)).isEqualTo(Ack.delivered());
    assertThat(whole.answer(a2)).isNull();
  }

  @Test
  void after_a_failure_the_rest_of_its_key_is_not_sent_and_other_keys_go_on() throws Exception {
    Envelope a2 = keyed("a");
    Envelope a3 = keyed("a");
    Envelope b2 = keyed("b");
    RecordingFlight whole = RecordingFlight.of(first, a2, second, a3, b2);
    Publisher.async(this::start).publish(whole);

    sends.get(first).complete("receipt");
    sends.get(a2).completeExceptionally(new IllegalStateException("no"));
    sends.get(second).complete("receipt");
    sends.get(b2).complete("receipt");

    assertThat(sends).containsOnlyKeys(first, a2, second, b2);
    assertThat(whole.kinds())
        .containsExactly(
            Ack.Delivered.class,
            Ack.Failed.class,
            Ack.Delivered.class,
            Ack.NotSent.class,
            Ack.Delivered.class);
    assertThat(whole.ignored()).isZero();
  }

  @Test
  void a_failure_read_as_Delivered_does_not_stop_its_key() throws Exception {
    Envelope a2 = keyed("a");
    RecordingFlight whole = RecordingFlight.of(first, a2);
    Publisher.async(this::start).classify(thrown -> Ack.delivered()).publish(whole);

    sends.get(first).completeExceptionally(new IllegalStateException("duplicate"));
    sends.get(a2).complete("receipt");

    assertThat(whole.kinds()).containsExactly(Ack.Delivered.class, Ack.Delivered.class);
  }

  @Test
  void starts_nothing_more_once_the_flight_is_over_and_counts_it_against_no_message()
      throws Exception {
    Envelope a2 = keyed("a");
    RecordingFlight whole = RecordingFlight.of(first, a2);
    Publisher.async(this::start).publish(whole);

    whole.over = true;
    sends.get(first).complete("receipt");

    assertThat(sends).containsOnlyKeys(first);
    assertThat(whole.kinds()).containsExactly(Ack.Delivered.class, Ack.NotSent.class);
  }

  @Test
  void ten_thousand_sends_of_one_key_that_end_at_once_do_not_recurse() throws Exception {
    RecordingFlight whole = RecordingFlight.of(many());

    Publisher.async(envelope -> CompletableFuture.completedFuture("receipt")).publish(whole);

    assertThat(whole.kinds()).hasSize(10_000).containsOnly(Ack.Delivered.class);
  }

  @Test
  void nor_do_ten_thousand_that_end_on_another_thread_while_it_sends() throws Exception {
    RecordingFlight whole = RecordingFlight.of(many());
    List<Envelope> order = Collections.synchronizedList(new ArrayList<>());
    ExecutorService client = Executors.newSingleThreadExecutor();
    try {
      Publisher.async(envelope -> CompletableFuture.runAsync(() -> order.add(envelope), client))
          .publish(whole);
      client.submit(() -> "begun").get(30, TimeUnit.SECONDS);
      while (order.size() < 10_000) {
        client.submit(() -> "on its way").get(30, TimeUnit.SECONDS);
      }
    } finally {
      client.shutdown();
      assertThat(client.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(order).isEqualTo(whole.envelopes());
    assertThat(whole.kinds()).containsOnly(Ack.Delivered.class);
  }

  private static Envelope[] many() {
    return Stream.generate(() -> keyed("a")).limit(10_000).toArray(Envelope[]::new);
  }

  @Test
  void takes_whole_keys_in_one_flight() {
    assertThat(Publisher.async(this::start).ordering()).isEqualTo(Ordering.PIPELINED);
  }

  private CompletableFuture<String> start(Envelope envelope) {
    return sends.computeIfAbsent(envelope, e -> new CompletableFuture<>());
  }
}
