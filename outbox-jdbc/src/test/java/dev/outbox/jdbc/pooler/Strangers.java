package dev.outbox.jdbc.pooler;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Other clients of a bouncer, which know nothing of an outbox.
 *
 * <p>Used by one thread.
 */
final class Strangers implements AutoCloseable {
  private static final String SETTINGS =
      """
      SELECT pg_backend_pid(), current_setting('lock_timeout'), current_setting('statement_timeout'),
        current_setting('idle_in_transaction_session_timeout'),
        current_setting('default_transaction_isolation')
      """;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<CompletableFuture<Void>> working = new ArrayList<>();
  private volatile boolean over;

  /** What a stranger finds set in a session of the server's. */
  record Found(int session, List<String> settings) {}

  /** Begins so many transactions at once, so that each is in its own session, and looks. */
  static List<Found> look(PgBouncer bouncer, int sessions) throws SQLException {
    List<Connection> open = new ArrayList<>();
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < sessions; i++) {
      Connection connection = bouncer.open();
      open.add(connection);
      connection.setAutoCommit(false);
      found.add(look(connection));
    }
    for (Connection connection : open) {
      connection.rollback();
      connection.close();
    }
    return found;
  }

  /** What is set in the session of this connection. */
  static Found look(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SETTINGS)) {
      row.next();
      return new Found(
          row.getInt(1),
          List.of(row.getString(2), row.getString(3), row.getString(4), row.getString(5)));
    }
  }

  /**
   * That many clients of which each runs one short transaction after the other; returns when all
   * do.
   */
  static Strangers busy(PgBouncer bouncer, int clients) throws InterruptedException {
    Strangers strangers = new Strangers();
    CountDownLatch begun = new CountDownLatch(clients);
    for (int i = 0; i < clients; i++) {
      strangers.working.add(
          CompletableFuture.runAsync(() -> strangers.work(bouncer, begun), strangers.threads));
    }
    if (!begun.await(30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("not all strangers got to work: " + strangers.working);
    }
    return strangers;
  }

  private void work(PgBouncer bouncer, CountDownLatch begun) {
    try (Connection connection = bouncer.open();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (!over) {
        statement.execute("SELECT pg_sleep(0.005)");
        connection.commit();
        begun.countDown();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("a stranger was disturbed", e);
    }
  }

  /** Ends their work; a failure of it fails the test. */
  @Override
  public void close() {
    over = true;
    threads.shutdown();
    CompletableFuture.allOf(working.toArray(CompletableFuture[]::new)).join();
  }
}
