package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.StoreException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class ServerTest {
  @Test
  void a_pool_that_waited_for_a_connection_does_not_hide_why_there_is_none() {
    SQLException waited =
        new SQLTransientConnectionException(
            "HikariPool-1 - Connection is not available, request timed out after 250ms",
            new SQLException("FATAL: password authentication failed for user \"me\""));

    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> Server.behind(poolThatThrows(waited)))
        .withMessageEndingWith(
            "The driver says: HikariPool-1 - Connection is not available, request timed out after 250ms;"
                + " caused by java.sql.SQLException: FATAL: password authentication failed for user \"me\"");
  }

  private static DataSource poolThatThrows(SQLException refusal) {
    return (DataSource)
        Proxy.newProxyInstance(
            ServerTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              throw refusal;
            });
  }
}
