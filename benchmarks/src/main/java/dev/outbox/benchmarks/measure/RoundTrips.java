package dev.outbox.benchmarks.measure;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;

/**
 * Counts what an application asks of its database: executed statements (a batch is one) and
 * commits. For runs that count and are not timed.
 *
 * <p>Safe for use by many threads.
 */
public final class RoundTrips {
  private final LongAdder statements = new LongAdder();
  private final LongAdder commits = new LongAdder();

  /** Opens a connection. */
  @FunctionalInterface
  public interface Opening {
    Connection open() throws SQLException;
  }

  public long statements() {
    return statements.sum();
  }

  public long commits() {
    return commits.sum();
  }

  DataSource over(Opening opening) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("getConnection")) {
            Connection connection = opening.open();
            return proxy(Connection.class, (self, call, given) -> on(connection, call, given));
          }
          return method.getReturnType() == int.class ? 0 : null; // a pool asks for its time limit
        });
  }

  private Object on(Connection connection, Method method, Object[] arguments) throws Throwable {
    if (method.getName().equals("commit")) {
      commits.increment();
    }
    Object answer = invoke(connection, method, arguments);
    if (answer instanceof CallableStatement statement) {
      return counted(CallableStatement.class, statement);
    }
    if (answer instanceof PreparedStatement statement) {
      return counted(PreparedStatement.class, statement);
    }
    return answer instanceof Statement statement ? counted(Statement.class, statement) : answer;
  }

  private <S extends Statement> S counted(Class<S> type, S statement) {
    return proxy(
        type,
        (proxy, method, arguments) -> {
          if (method.getName().startsWith("execute")) {
            statements.increment();
          }
          return invoke(statement, method, arguments);
        });
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(RoundTrips.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
