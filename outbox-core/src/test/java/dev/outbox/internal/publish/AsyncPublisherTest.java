package dev.outbox.internal.publish;

import static dev.outbox.publish.RecordingFlight.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.RecordingFlight;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
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
  void takes_one_message_of_a_key_at_a_time() {
    assertThat(Publisher.async(this::start).ordering()).isEqualTo(Ordering.ONE_PER_KEY);
  }

  private CompletableFuture<String> start(Envelope envelope) {
    return sends.computeIfAbsent(envelope, e -> new CompletableFuture<>());
  }
}
