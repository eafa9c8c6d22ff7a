package dev.outbox.jdbc.internal.session;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;

/**
 * What may be between a connection and PostgreSQL. Needs its driver, and says "perhaps" without it.
 *
 * <p>Stateless.
 */
public final class Pooler {
  private Pooler() {}

  /**
   * False when the driver was told at its login that it is in {@code session}, which is the one
   * that the server names: a pooler tells its own number.
   */
  public static boolean mayStandBefore(Connection connection, long session) throws SQLException {
    try {
      return !connection.isWrapperFor(PGConnection.class)
          || connection.unwrap(PGConnection.class).getBackendPID() != session;
    } catch (LinkageError e) {
      // the connection is another driver's
      return true;
    }
  }
}
