package dev.outbox.jdbc;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Knows which connections of a data source are lent, so that all can be cut at once. Safe for use
 * by many threads.
 */
final class LentConnections {
  private final Set<Connection> lent =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
  private final DataSource dataSource;

  LentConnections(DataSource real) {
    this.dataSource = new TamperedDataSource(real, this::call, lent::add);
  }

  /** What is done to each of them. */
  interface Cut {
    void of(Connection connection) throws SQLException;
  }

  DataSource dataSource() {
    return dataSource;
  }

  private Object call(Connection real, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("close")) {
      lent.remove(real);
    }
    return TamperedDataSource.passed(real, method, arguments);
  }

  /** Who has one of them notices it at the next call. */
  void cut(Cut cut) throws SQLException {
    List<Connection> now;
    synchronized (lent) {
      now = new ArrayList<>(lent);
      lent.clear();
    }
    for (Connection connection : now) {
      cut.of(connection);
    }
  }
}
