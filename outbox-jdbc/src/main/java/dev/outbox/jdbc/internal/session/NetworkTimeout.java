package dev.outbox.jdbc.internal.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

/** How long a connection waits for an answer, where its driver knows of that. */
public final class NetworkTimeout {
  private NetworkTimeout() {}

  /** In milliseconds; 0 for ever, and where the driver does not know. */
  public static int of(Connection connection) throws SQLException {
    try {
      return connection.getNetworkTimeout();
    } catch (SQLFeatureNotSupportedException e) {
      return 0;
    }
  }

  public static void set(Connection connection, int millis) throws SQLException {
    try {
      connection.setNetworkTimeout(Runnable::run, millis);
    } catch (SQLFeatureNotSupportedException e) {
      // a driver without it has no network, or the doctor warns
      return;
    }
  }
}
