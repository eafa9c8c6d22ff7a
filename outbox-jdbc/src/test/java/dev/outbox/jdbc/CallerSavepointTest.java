package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.connection.CallerSavepoint;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CallerSavepointTest {
  /** As work of {@code Inbox.once} that enqueues on another thread, and waits for it. */
  @ParameterizedTest
  @EnumSource(
      value = Database.class,
      names = {"H2", "POSTGRES", "MYSQL", "MARIADB"})
  void one_of_another_thread_in_the_same_transaction_does_not_take_its_name(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Connection connection = sandbox.pool().getConnection()) {
      execute(connection, "CREATE TABLE parts (n int)");
      connection.setAutoCommit(false);
      try (CallerSavepoint outer = CallerSavepoint.set(connection)) {
        execute(connection, "INSERT INTO parts VALUES (1)");
        CompletableFuture.runAsync(() -> undoAPart(connection)).get();
        outer.rollback();
      }
      connection.commit();
      try (var statement = connection.createStatement();
          var rows = statement.executeQuery("SELECT n FROM parts")) {
        assertThat(rows.next()).isFalse();
      }
      execute(connection, "DROP TABLE parts");
      connection.commit();
    }
  }

  private static void undoAPart(Connection connection) {
    try (CallerSavepoint inner = CallerSavepoint.set(connection)) {
      execute(connection, "INSERT INTO parts VALUES (2)");
      inner.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
