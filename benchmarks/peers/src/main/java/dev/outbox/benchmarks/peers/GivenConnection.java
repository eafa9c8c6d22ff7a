package dev.outbox.benchmarks.peers;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a running transaction as a data source, for libraries that take no connection.
 * What they close stays open.
 *
 * <p>Stateless.
 */
final class GivenConnection {
  private GivenConnection() {}

  static DataSource of(Connection connection) {
    Connection open =
        proxy(
            Connection.class,
            (method, arguments) ->
                method.getName().equals("close") ? null : method.invoke(connection, arguments));
    return proxy(
        DataSource.class,
        (method, arguments) -> method.getName().equals("getConnection") ? open : null);
  }

  @FunctionalInterface
  private interface Call {
    @Nullable Object on(Method method, Object[] arguments) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            GivenConnection.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return call.on(method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
            }));
  }
}
