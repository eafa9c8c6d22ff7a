package dev.outbox.jdbc.internal.session;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Fault;
import dev.outbox.jdbc.dialect.Limits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Our own connection: borrowed on first use, set up once, replaced after an error of the
 * connection, and returned as it came.
 *
 * <p>Used by one thread, but for {@link #abort}.
 */
public final class Session implements AutoCloseable {
  private static final int ATTEMPTS = 20;
  private static final int JITTER_MILLIS = 20;

  private final DataSource dataSource;
  private final Sql sql;
  private final Limits limits;
  private volatile @Nullable SetUpConnection setUpConnection;
  private volatile boolean aborted;
  private boolean isOpen;

  public Session(DataSource dataSource, Sql sql, Limits limits) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.limits = limits;
  }

  /** Work inside a transaction. */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Work that begins its transactions itself. */
  @FunctionalInterface
  private interface Attempt<T> {
    T on(SetUpConnection lent) throws SQLException;
  }

  /** One short call on a connection borrowed for it alone. */
  public static <T> T once(
      DataSource dataSource, Sql sql, Limits limits, String what, Work<T> work) {
    try (Session session = new Session(dataSource, sql, limits)) {
      return session.transaction(what, work);
    }
  }

  /**
   * Runs {@code work} and commits; again, when it lost a race. What {@link #begin} left open is
   * rolled back first: nothing commits that was not asked for.
   */
  public <T> T transaction(String what, Work<T> work) {
    return attempt(what, lent -> committed(lent, work));
  }

  private static <T> T committed(SetUpConnection lent, Work<T> work) throws SQLException {
    T result = work.run(lent.begin());
    lent.connection().commit();
    return result;
  }

  /**
   * Runs statements that only read; again, when they lost a race. Where that saves a round trip
   * each is its own transaction, which at READ COMMITTED shows the same.
   */
  public <T> T read(String what, Work<T> work) {
    return sql.dialect().readsAlone() ? alone(what, work) : transaction(what, work);
  }

  /** Runs one statement, or one batch, that is its own transaction; again, when it lost a race. */
  public <T> T alone(String what, Work<T> work) {
    return attempt(what, lent -> lent.isLocal() ? committed(lent, work) : alone(lent.use(), work));
  }

  private static <T> T alone(Connection connection, Work<T> work) throws SQLException {
    connection.setAutoCommit(true);
    T result;
    try {
      result = work.run(connection);
    } catch (RuntimeException | SQLException e) {
      try {
        connection.setAutoCommit(false);
      } catch (SQLException broken) {
        e.addSuppressed(broken);
      }
      throw e;
    }
    connection.setAutoCommit(false);
    return result;
  }

  /**
   * Runs {@code work} and leaves its transaction open; again, when it lost a race, unless it has
   * already waited for most of the time that a lock may be waited for.
   */
  public <T> T begin(String what, Work<T> work) {
    return attempt(
        what,
        lent -> {
          isOpen = true;
          return work.run(lent.begin());
        });
  }

  /** Commits the transaction that was begun on {@code connection}. */
  public void commit(Connection connection) throws SQLException {
    connection.commit();
    isOpen = false;
  }

  private <T> T attempt(String what, Attempt<T> work) {
    long begun = System.nanoTime();
    if (isOpen) {
      rollback();
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return work.on(open());
      } catch (RuntimeException | SQLException e) {
        Faults faults = undo(e);
        if (faults == null) {
          throw unchecked(what, e);
        }
        boolean patient = System.nanoTime() - begun < limits.lockWait().toNanos() / 2;
        if (faults.fault() != Fault.RETRY || attempt == ATTEMPTS || !patient) {
          throw faults.toException(what);
        }
        pause(what);
      }
    }
  }

  /** Ends an open transaction without a trace; a connection that refuses is thrown away. */
  public void rollback() {
    survivesRollback();
  }

  private boolean survivesRollback() {
    SetUpConnection lent = setUpConnection;
    isOpen = false;
    if (lent == null) {
      return true;
    }
    try {
      lent.connection().rollback();
      return true;
    } catch (SQLException e) {
      discard();
      return false;
    }
  }

  /** Tells a failure inside an open transaction, which is rolled back. */
  public RuntimeException failure(String what, Exception e) {
    Faults faults = undo(e);
    return faults == null ? unchecked(what, e) : faults.toException(what);
  }

  /** Cuts the connection, from any thread; the session is of no use any more. */
  public void abort() {
    aborted = true;
    SetUpConnection lent = setUpConnection;
    if (lent != null) {
      lent.discard();
    }
  }

  @Override
  public void close() {
    SetUpConnection lent = setUpConnection;
    if (lent == null) {
      return;
    }
    try {
      lent.giveBack();
      setUpConnection = null;
    } catch (SQLException | RuntimeException e) {
      discard();
    }
  }

  private SetUpConnection open() throws SQLException {
    SetUpConnection lent = setUpConnection;
    if (lent != null && lent.isStale()) {
      discard();
      // told, because the next connection may be to a database that went back
      throw StoreException.passing("the connection was lost while nothing used it", null);
    }
    refuseAborted();
    if (lent == null) {
      lent = SetUpConnection.from(dataSource, sql, limits);
      setUpConnection = lent;
      refuseAborted();
    }
    return lent;
  }

  private void refuseAborted() {
    if (aborted) {
      discard();
      throw StoreException.passing("the session was aborted", null);
    }
  }

  private @Nullable Faults undo(Exception e) {
    Faults faults = Faults.behind(e, sql.dialect());
    if (faults != null && faults.breaksConnection()) {
      discard();
      return HikariPool.isClosed(dataSource) ? faults.ofClosedPool() : faults;
    }
    return survivesRollback() || faults == null ? faults : faults.withoutConnection();
  }

  private void discard() {
    SetUpConnection lent = setUpConnection;
    setUpConnection = null;
    isOpen = false;
    if (lent != null) {
      lent.discard();
    }
  }

  private static RuntimeException unchecked(String what, Exception e) {
    return e instanceof RuntimeException unchecked
        ? unchecked
        : StoreException.lasting(what + ": " + e.getMessage(), e);
  }

  private static void pause(String what) {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextInt(1, JITTER_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw StoreException.passing(what + ": interrupted before it was tried again", e);
    }
  }
}
