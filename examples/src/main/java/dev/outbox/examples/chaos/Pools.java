package dev.outbox.examples.chaos;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import dev.outbox.examples.chaos.Terms.Login;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/** Connection pools that get over a database that goes down and comes back. */
final class Pools {
  private static final long PATIENCE_MILLIS = 2_000;

  private Pools() {}

  static HikariDataSource open(String name, Login login, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(login.url());
    config.setUsername(login.user());
    config.setPassword(login.password());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(PATIENCE_MILLIS);
    config.setValidationTimeout(PATIENCE_MILLIS / 2);
    config.setInitializationFailTimeout(-1);
    config.setTransactionIsolation(usualIsolation(login.url()));
    config.setExceptionOverride(new Broken());
    return new HikariDataSource(config);
  }

  /**
   * What the server gives of itself. A pool that is not shown asks its first connection, and if
   * that one is cut meanwhile, gives no connection ever.
   */
  private static String usualIsolation(String url) {
    boolean repeatable = url.startsWith("jdbc:mysql:") || url.startsWith("jdbc:mariadb:");
    return repeatable ? "TRANSACTION_REPEATABLE_READ" : "TRANSACTION_READ_COMMITTED";
  }

  /** Tells the pool which errors end a connection; it does not know H2's by itself. */
  public static final class Broken implements SQLExceptionOverride {
    @java.lang.Override
    public Override adjudicate(SQLException exception) {
      return exception instanceof SQLNonTransientConnectionException
          ? Override.MUST_EVICT
          : Override.CONTINUE_EVICT;
    }
  }
}
