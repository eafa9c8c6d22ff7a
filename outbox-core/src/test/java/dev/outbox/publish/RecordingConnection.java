package dev.outbox.publish;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.List;

/** A connection that only writes down what is called. */
public final class RecordingConnection {
  private RecordingConnection() {}

  public static Connection of(List<String> calls) {
    return proxy(
        Connection.class,
        name -> {
          calls.add(name);
          return name.equals("setSavepoint") ? proxy(Savepoint.class, each -> null) : null;
        });
  }

  private interface Answering {
    Object to(String method);
  }

  private static <T> T proxy(Class<T> type, Answering answering) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answering.to(method.getName())));
  }
}
