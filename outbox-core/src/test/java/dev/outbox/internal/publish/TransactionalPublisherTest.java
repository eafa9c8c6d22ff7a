package dev.outbox.internal.publish;

import static dev.outbox.publish.RecordingFlight.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RecordingConnection;
import dev.outbox.publish.RecordingFlight;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
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

  @Test
  void a_rollback_that_fails_does_not_hide_what_was_thrown() throws Exception {
    Envelope bad = keyed("a");
    IllegalStateException thrown = new IllegalStateException("the effect failed");
    RecordingFlight flight = RecordingFlight.in(withoutRollback(), bad);

    Publisher.transactional(
            (each, connection) -> {
              throw thrown;
            })
        .publish(flight);

    assertThat(flight.answer(bad))
        .isInstanceOfSatisfying(
            Ack.Failed.class,
            failed ->
                assertThat(failed.cause())
                    .hasMessage("the connection is closed")
                    .hasSuppressedException(thrown));
  }

  private Connection withoutRollback() {
    Connection connection = RecordingConnection.of(calls);
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) -> {
              if (method.getName().equals("rollback")) {
                throw new SQLException("the connection is closed");
              }
              return method.invoke(connection, arguments);
            });
  }
}
