package dev.outbox.jdbc.proof;

import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the server itself says of its sessions. Safe for use by many threads. */
record ServerEye(Sandbox sandbox) {
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(150);

  /** The server's number of the session behind this connection. */
  long session(Connection connection) throws SQLException {
    return number(
        connection,
        switch (database()) {
          case POSTGRES -> "SELECT pg_backend_pid()";
          case MYSQL, MARIADB -> "SELECT connection_id()";
          default -> "SELECT session_id()";
        });
  }

  /**
   * How many sessions wait at this moment for a lock of {@code session}. Looks closely after each
   * other would see the same for ever: MySQL and MariaDB refresh their view only when nobody has
   * looked at it for a tenth of a second.
   */
  long waitingFor(Connection admin, long session) throws SQLException {
    Await.pause(BETWEEN_LOOKS);
    String query =
        switch (database()) {
          case POSTGRES ->
              "SELECT COUNT(*) FROM pg_stat_activity WHERE %d = ANY(pg_blocking_pids(pid))";
          case MYSQL ->
              """
              SELECT COUNT(*)
              FROM performance_schema.data_lock_waits w
              JOIN information_schema.innodb_trx t
                ON t.trx_id = w.blocking_engine_transaction_id
              WHERE t.trx_mysql_thread_id = %d
              """;
          case MARIADB ->
              """
              SELECT COUNT(*)
              FROM information_schema.innodb_lock_waits w
              JOIN information_schema.innodb_trx t ON t.trx_id = w.blocking_trx_id
              WHERE t.trx_mysql_thread_id = %d
              """;
          default -> "SELECT COUNT(*) FROM information_schema.sessions WHERE blocker_id = %d";
        };
    return number(admin, query.formatted(session));
  }

  private Database database() {
    return sandbox.server().database();
  }

  private static long number(Connection connection, String query) throws SQLException {
    return Long.parseLong(column(connection, query).get(0));
  }

  static List<String> column(Connection connection, String query) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }
}
