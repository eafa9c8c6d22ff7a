package dev.outbox.internal.publish;

import static dev.outbox.publish.RecordingFlight.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RecordingConnection;
import dev.outbox.publish.RecordingFlight;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionalPublisherTest {
  private final List<String> calls = new ArrayList<>();

  @Test
  void is_refused_by_flights_without_a_transaction() {
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(
            () ->
                Publisher.transactional((each, connection) -> {})
                    .publish(RecordingFlight.of(keyed("a"))));
  }

  @Test
  void undoes_what_a_failed_message_wrote_and_keeps_the_others() throws Exception {
    for (Throwable thrown : List.of(new IllegalStateException("no"), new StackOverflowError())) {
      calls.clear();
      Envelope bad = keyed("a");
      Envelope good = keyed("b");
      RecordingFlight flight = RecordingFlight.in(RecordingConnection.of(calls), bad, good);

      Publisher.transactional(
              (each, connection) -> {
                connection.nativeSQL("effect");
                if (each.equals(bad) && thrown instanceof Error error) {
                  throw error;
                }
                if (each.equals(bad)) {
                  throw (Exception) thrown;
                }
              })
          .publish(flight);

      assertThat(flight.kinds()).containsExactly(Ack.Failed.class, Ack.Delivered.class);
      assertThat(calls)
          .startsWith("setSavepoint", "nativeSQL", "rollback", "setSavepoint", "nativeSQL");
    }
  }
}
