package dev.outbox.jdbc;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source whose connections do some calls otherwise, as a pool, proxy or driver may. */
public record TamperedDataSource(DataSource real, Tamper tamper, Greeting greeting)
    implements DataSource {
  public TamperedDataSource(DataSource real, Tamper tamper) {
    this(real, tamper, connection -> {});
  }

  /** What is done to a connection before it is lent. */
  @FunctionalInterface
  public interface Greeting {
    void to(Connection connection) throws SQLException;
  }

  /** Answers a call on a connection; {@link #passed} hands it on. */
  @FunctionalInterface
  public interface Tamper {
    Object call(Connection real, Method method, Object[] arguments) throws Throwable;
  }

  /** Every connection has run {@code sql}, as by a pool's init SQL. */
  public static DataSource greeting(DataSource real, String sql) {
    return new TamperedDataSource(
        real,
        TamperedDataSource::passed,
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
          }
        });
  }

  /** Calls of {@code name} do nothing. */
  public static DataSource ignoring(DataSource real, String name) {
    return new TamperedDataSource(
        real,
        (connection, method, arguments) ->
            method.getName().equals(name) ? null : passed(connection, method, arguments));
  }

  /** Takes a connection out of the pool for the first call that is about one. */
  public static DataSource lazy(DataSource real) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) ->
                method.getName().equals("getConnection")
                    ? lazyConnection(real)
                    : passed(real, method, arguments));
  }

  private static Connection lazyConnection(DataSource real) {
    AtomicReference<Connection> target = new AtomicReference<>();
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (target.get() == null) {
                if (method.getName().equals("close")) {
                  return null;
                }
                target.set(real.getConnection());
              }
              return passed(target.get(), method, arguments);
            });
  }

  /** Calls of {@code name} throw. */
  public static DataSource refusing(DataSource real, String name, SQLException refusal) {
    return new TamperedDataSource(
        real,
        (connection, method, arguments) -> {
          if (method.getName().equals(name)) {
            throw refusal;
          }
          return passed(connection, method, arguments);
        });
  }

  /** Statements that contain {@code part} are replaced by {@code other}. */
  public static DataSource rewriting(DataSource real, String part, String other) {
    return new TamperedDataSource(
        real,
        (connection, method, arguments) -> {
          boolean hit =
              arguments != null
                  && arguments.length > 0
                  && arguments[0] instanceof String text
                  && text.contains(part);
          if (hit) {
            arguments[0] = other;
          }
          return passed(connection, method, arguments);
        });
  }

  /**
   * Two sessions behind all connections, one after the other for each transaction and each
   * statement outside of one, as a pooler in transaction mode does.
   */
  public static DataSource switching(Connection one, Connection two) {
    AtomicInteger turns = new AtomicInteger();
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> switchingConnection(one, two, turns));
  }

  // a transaction stays in the session that it began in
  private static Connection switchingConnection(
      Connection one, Connection two, AtomicInteger turns) {
    AtomicReference<Connection> current = new AtomicReference<>(one);
    return proxy(
        (real, method, arguments) -> {
          if (method.getName().equals("close")) {
            return null;
          }
          boolean begins =
              (method.getName().equals("setAutoCommit") && arguments[0].equals(false))
                  || method.getName().equals("prepareStatement");
          if (begins && current.get().getAutoCommit()) {
            current.set(turns.getAndIncrement() % 2 == 0 ? one : two);
          }
          return passed(current.get(), method, arguments);
        },
        one);
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = real.getConnection();
    greeting.to(connection);
    return proxy(tamper, connection);
  }

  private static Connection proxy(Tamper tamper, Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> tamper.call(connection, method, arguments));
  }

  public static Object passed(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return real.getConnection(user, password);
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return real.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    real.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    real.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return real.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return real.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return real.isWrapperFor(type);
  }
}
