package dev.outbox.jdbc;

import dev.outbox.tck.StoreEnvironment;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source at whose commits faults can be brought about, each once. */
final class FaultyDataSource implements DataSource, StoreEnvironment.CommitFaults {
  private final DataSource pool;
  private final AtomicReference<Optional<CommitFault>> next =
      new AtomicReference<>(Optional.empty());

  FaultyDataSource(DataSource pool) {
    this.pool = pool;
  }

  @FunctionalInterface
  private interface CommitFault {
    void commit(Connection connection) throws SQLException;
  }

  @Override
  public void loseNextReply() {
    next.set(Optional.of(FaultyDataSource::commitAndBreak));
  }

  private static void commitAndBreak(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
    connection.abort(Runnable::run);
    throw new SQLException("the reply of the commit was lost", "08006");
  }

  @Override
  public StoreEnvironment.Stop stopNext() {
    Stopped stopped = new Stopped(new CountDownLatch(1), new CountDownLatch(1));
    next.set(Optional.of(stopped));
    return stopped;
  }

  void heal() {
    next.set(Optional.empty());
  }

  private record Stopped(CountDownLatch reached, CountDownLatch released)
      implements CommitFault, StoreEnvironment.Stop {
    @Override
    public void commit(Connection connection) throws SQLException {
      reached.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      connection.commit();
    }

    @Override
    public void awaitStopped() throws InterruptedException {
      if (!reached.await(1, TimeUnit.MINUTES)) {
        throw new AssertionError("nothing was committed within a minute");
      }
    }

    @Override
    public void close() {
      released.countDown();
    }
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = pool.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> call(connection, method, arguments));
  }

  private Object call(Connection connection, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("commit") || endsStatementAlone(connection, method, arguments)) {
      Optional<CommitFault> fault = next.getAndSet(Optional.empty());
      if (fault.isPresent()) {
        fault.get().commit(connection);
        return null;
      }
    }
    try {
      return method.invoke(connection, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** After a statement that was its own transaction a session turns autocommit off again. */
  private static boolean endsStatementAlone(
      Connection connection, Method method, Object[] arguments) throws SQLException {
    return method.getName().equals("setAutoCommit")
        && Boolean.FALSE.equals(arguments[0])
        && connection.getAutoCommit();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return pool.getConnection(user, password);
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return pool.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    pool.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return pool.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return pool.isWrapperFor(type);
  }
}
