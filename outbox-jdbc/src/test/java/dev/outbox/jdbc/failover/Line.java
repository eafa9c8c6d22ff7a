package dev.outbox.jdbc.failover;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The way to a database, which can be cut, and lead to another server afterwards.
 *
 * <p>Safe for use by many threads.
 */
final class Line {
  private final String user;
  private final String password;
  private final Queue<Connection> open = new ConcurrentLinkedQueue<>();
  private @Nullable String url;

  Line(String url, String user, String password) {
    this.url = url;
    this.user = user;
    this.password = password;
  }

  /** Every connection is new. */
  DataSource dataSource() {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("getConnection")) {
            return connect();
          }
          throw new UnsupportedOperationException(method.getName());
        };
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, handler);
  }

  private synchronized Connection connect() throws SQLException {
    if (url == null) {
      throw new SQLTransientConnectionException("the line is cut", "08001");
    }
    Connection connection = DriverManager.getConnection(url, user, password);
    open.add(connection);
    return connection;
  }

  /** Breaks what is open; nobody gets a connection until {@link #lead}. */
  synchronized void cut() throws SQLException {
    url = null;
    for (Connection connection = open.poll(); connection != null; connection = open.poll()) {
      connection.abort(Runnable::run);
    }
  }

  synchronized void lead(String to) {
    url = to;
  }
}
