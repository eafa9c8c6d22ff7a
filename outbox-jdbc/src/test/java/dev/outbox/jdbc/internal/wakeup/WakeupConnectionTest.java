package dev.outbox.jdbc.internal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

class WakeupConnectionTest {
  @Test
  void a_connection_goes_back_as_it_came() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        Connection lent = sandbox.open()) {
      lent.setAutoCommit(false);
      lent.setNetworkTimeout(Runnable::run, 1234);
      WakeupConnection wakeupConnection = WakeupConnection.open(lendingOpenly(lent));
      assertThat(lent.getAutoCommit()).isTrue();
      assertThat(lent.getNetworkTimeout()).isEqualTo(5000);

      wakeupConnection.giveBack();
      assertThat(lent.getAutoCommit()).isFalse();
      assertThat(lent.getNetworkTimeout()).isEqualTo(1234);
    }
  }

  @Test
  void a_connection_that_was_cut_is_not_lent_again() throws Exception {
    HikariConfig config = new HikariConfig();
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      config.setDataSource(sandbox.dataSource());
      config.setMaximumPoolSize(1);
      try (HikariDataSource pool = new HikariDataSource(config)) {
        WakeupConnection wakeupConnection = WakeupConnection.open(pool);
        PGConnection cut = wakeupConnection.connection().unwrap(PGConnection.class);
        wakeupConnection.cut();

        try (Connection next = pool.getConnection()) {
          assertThat(next.unwrap(PGConnection.class)).isNotSameAs(cut);
          assertThat(next.isValid(5)).isTrue();
        }
      }
    }
  }

  /** Lends one connection, and leaves it open when it comes back. */
  private static DataSource lendingOpenly(Connection connection) {
    Connection open =
        (Connection)
            Proxy.newProxyInstance(
                WakeupConnectionTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) ->
                    method.getName().equals("close") ? null : method.invoke(connection, arguments));
    return (DataSource)
        Proxy.newProxyInstance(
            WakeupConnectionTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> open);
  }
}
