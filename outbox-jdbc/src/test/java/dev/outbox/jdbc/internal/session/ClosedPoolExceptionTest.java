package dev.outbox.jdbc.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.sql.SQLTransientException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClosedPoolExceptionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HikariDataSource HikariDataSource (HikariPool-1) has been closed.",
        "Data source is closed",
        "Connection pool closed.",
        "This pool is closed and does not handle any more connections!",
        "com.mchange.v2.c3p0.ComboPooledDataSource has been closed() -- you can no longer use it.",
        "Connection pool has been disposed."
      })
  void what_a_closed_pool_says_is_known(String text) {
    assertThat((Throwable) ClosedPoolException.of(new SQLException(text)))
        .isInstanceOf(ClosedPoolException.class)
        .hasMessage(text);
    assertThat((Throwable) ClosedPoolException.of(new IllegalStateException(text)))
        .isInstanceOf(ClosedPoolException.class);
  }

  @Test
  void what_may_pass_is_reported_as_it_was() {
    SQLException busy = new SQLException("HikariPool-1 - Connection is not available");
    assertThat((Throwable) ClosedPoolException.of(busy)).isSameAs(busy);
    SQLException passing = new SQLTransientException("pool: the connection was closed");
    assertThat((Throwable) ClosedPoolException.of(passing)).isSameAs(passing);
    SQLException server = new SQLException("the pool of the server is closed", "08006");
    assertThat((Throwable) ClosedPoolException.of(server)).isSameAs(server);
    IllegalStateException other = new IllegalStateException("not now");
    assertThatThrownBy(() -> ClosedPoolException.of(other)).isSameAs(other);
  }
}
