package dev.outbox.internal.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** Breaks a connection of a pool at once, so that the pool does not lend it again. */
public final class CutConnection {
  private CutConnection() {}

  /** Cuts and closes it, from any thread; a call that another one is making fails. */
  public static void cut(Connection connection) {
    try {
      driversOwn(connection).abort(Runnable::run);
      // a pool notices by the error of the next call, and does not lend it again
      connection.rollback();
    } catch (SQLException | RuntimeException e) {
      close(connection);
      return;
    }
    close(connection);
  }

  /** Agroal before 3.2 aborts only its wrapper, and never gives its place in the pool back. */
  private static Connection driversOwn(Connection connection) {
    try {
      return connection.unwrap(Connection.class);
    } catch (SQLException | RuntimeException e) {
      return connection; // it gives no other
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // it is gone already
      return;
    }
  }
}
