package dev.outbox.testkit.internal.watch;

import dev.outbox.StoreException;
import dev.outbox.testkit.crash.Crash;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Steps;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Connections on which every statement, every savepoint and every commit is a step. Once who uses
 * them is dead they take nothing but what ends them: the server rolls back what a dead session has
 * open.
 */
public final class WatchedDataSource implements InvocationHandler {
  private static final String CONNECTION_LOST = "08006";
  private static final Set<String> ENDINGS =
      Set.of("rollback", "close", "abort", "unwrap", "isClosed", "hashCode", "equals", "toString");

  private final String who;
  private final Object target;
  private final String sql;
  private final Steps steps;

  private WatchedDataSource(String who, Object target, String sql, Steps steps) {
    this.who = who;
    this.target = target;
    this.sql = sql;
    this.steps = steps;
  }

  public static DataSource of(String who, DataSource dataSource, Steps steps) {
    return proxy(DataSource.class, new WatchedDataSource(who, dataSource, "", steps));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    if (steps.isDead(who) && !ENDINGS.contains(method.getName())) {
      refuse(method);
    }
    CrashPoint point = steps.isDead(who) ? null : point(method, arguments);
    if (point == null) {
      return watched(call(method, arguments), arguments);
    }
    return take(point, detail(method, arguments), method, arguments);
  }

  /** A setting of a lost connection fails; all else would be work of who is dead. */
  private void refuse(Method method) throws SQLException {
    if (target instanceof Connection && method.getName().startsWith("set")) {
      throw new SQLException(who + " is dead", CONNECTION_LOST, new Crash(who, "it was dropped"));
    }
    steps.requireAlive(who);
  }

  private @Nullable CrashPoint point(Method method, @Nullable Object @Nullable [] arguments) {
    if (target instanceof Connection && method.getName().equals("commit")) {
      return CrashPoint.TRANSACTION;
    }
    if (target instanceof Connection && isOfSavepoint(method, arguments)) {
      return CrashPoint.STATEMENT;
    }
    return target instanceof Statement && method.getName().startsWith("execute")
        ? CrashPoint.STATEMENT
        : null;
  }

  private String detail(Method method, @Nullable Object @Nullable [] arguments) {
    if (isOfSavepoint(method, arguments)) {
      return method.getName();
    }
    return arguments != null && arguments[0] instanceof String given ? given : sql;
  }

  private static boolean isOfSavepoint(Method method, @Nullable Object @Nullable [] arguments) {
    return method.getName().endsWith("Savepoint")
        || (method.getName().equals("rollback") && arguments != null);
  }

  private @Nullable Object take(
      CrashPoint point, String text, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    try {
      return steps.<@Nullable Object, Throwable>take(
          who, point, text, () -> call(method, arguments));
    } catch (StoreException lost) {
      throw new SQLException(lost.getMessage(), CONNECTION_LOST, lost);
    }
  }

  private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** What comes out of a connection is watched as it is. */
  private @Nullable Object watched(
      @Nullable Object result, @Nullable Object @Nullable [] arguments) {
    String text = arguments != null && arguments[0] instanceof String given ? given : sql;
    if (result instanceof Connection && target instanceof DataSource) {
      return wrap(Connection.class, result, "");
    }
    if (!(target instanceof Connection) || !(result instanceof Statement)) {
      return result;
    }
    if (result instanceof CallableStatement) {
      return wrap(CallableStatement.class, result, text);
    }
    return result instanceof PreparedStatement
        ? wrap(PreparedStatement.class, result, text)
        : wrap(Statement.class, result, text);
  }

  private <T> T wrap(Class<T> type, Object inner, String text) {
    return proxy(type, new WatchedDataSource(who, inner, text, steps));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            WatchedDataSource.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
