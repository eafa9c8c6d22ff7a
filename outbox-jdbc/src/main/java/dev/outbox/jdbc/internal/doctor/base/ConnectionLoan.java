package dev.outbox.jdbc.internal.doctor.base;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections borrowed all at the same time, as far as the pool gave them in time.
 *
 * <p>A pool that has no more may block for as long as it likes: the thread that asks it is its own
 * daemon, and gives back at once what it gets after the loan was closed.
 */
public final class ConnectionLoan implements AutoCloseable {
  private final DataSource dataSource;
  private final int wanted;
  private final List<Connection> lent = new ArrayList<>();
  private String reason = "";
  private @Nullable Exception refusal;
  private boolean closed;

  private ConnectionLoan(DataSource dataSource, int wanted) {
    this.dataSource = dataSource;
    this.wanted = wanted;
  }

  /**
   * Borrows {@code wanted} connections, and returns when it has them, is refused, or time is up.
   */
  public static ConnectionLoan of(DataSource dataSource, int wanted, Duration patience) {
    ConnectionLoan connectionLoan = new ConnectionLoan(dataSource, wanted);
    Thread borrower = new Thread(connectionLoan::borrow, "outbox-doctor");
    borrower.setDaemon(true);
    borrower.start();
    try {
      borrower.join(patience.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!connectionLoan.isComplete()) {
      connectionLoan.refuse("none came within " + patience.toMillis() + " ms", null);
      // a pool that listens to interrupts takes the borrower out of its queue
      borrower.interrupt();
    }
    return connectionLoan;
  }

  private void borrow() {
    try {
      for (int i = 0; i < wanted; i++) {
        keep(connected());
      }
    } catch (SQLException | RuntimeException e) {
      refuse(Objects.toString(e.getMessage(), e.getClass().getName()), e);
    }
  }

  /**
   * A proxy that connects at its first use, as one of Spring does, needs a place in the pool too.
   */
  private Connection connected() throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      connection.getMetaData();
      return connection;
    } catch (SQLException | RuntimeException e) {
      try (connection) {
        throw e;
      }
    }
  }

  private synchronized void keep(Connection connection) throws SQLException {
    if (closed) {
      connection.close();
      throw new SQLException("the loan was closed before");
    }
    lent.add(connection);
  }

  private synchronized void refuse(String why, @Nullable Exception cause) {
    if (reason.isEmpty()) {
      reason = why;
      refusal = cause;
    }
  }

  public synchronized List<Connection> lent() {
    return List.copyOf(lent);
  }

  public synchronized boolean isComplete() {
    return lent.size() == wanted;
  }

  /** Why there are no more, in words. */
  public synchronized String reason() {
    return reason;
  }

  public synchronized @Nullable Exception refusal() {
    return refusal;
  }

  /** Gives back all but the first few, and takes no more. */
  public synchronized void keep(int few) throws SQLException {
    while (lent.size() > few) {
      lent.remove(lent.size() - 1).close();
    }
    closed = true;
  }

  @Override
  public synchronized void close() throws SQLException {
    closed = true;
    while (!lent.isEmpty()) {
      lent.remove(lent.size() - 1).close();
    }
  }
}
