package dev.outbox.internal.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.spi.Wakeup;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JdbcTransactionTest {
  private final List<String> calls = new ArrayList<>();

  @Test
  void a_connection_that_cannot_roll_back_is_thrown_away_and_never_committed() {
    JdbcTransaction transaction =
        new JdbcTransaction(connectionThatCannotRollBack(), new CommitWakeups(Wakeup.inProcess()));

    assertThatThrownBy(
            () ->
                transaction.call(
                    connection -> {
                      throw new IllegalStateException("the work failed");
                    }))
        .hasMessage("the work failed")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));

    assertThat(calls)
        .containsExactly("setAutoCommit false", "rollback", "abort", "rollback", "close");
  }

  private Connection connectionThatCannotRollBack() {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              String call = method.getName();
              if (call.equals("getAutoCommit")) {
                return true;
              }
              if (call.equals("unwrap")) {
                return proxy;
              }
              calls.add(call.equals("setAutoCommit") ? call + " " + arguments[0] : call);
              if (call.equals("rollback")) {
                throw new SQLException("gone");
              }
              return null;
            });
  }
}
