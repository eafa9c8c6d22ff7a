package dev.outbox.internal.relay;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A session of a database in which savepoints end with their transaction, as on a server. */
final class ScriptedSession {
  private final Set<Object> savepoints = new HashSet<>();
  private final String unknown;
  private int set;
  private @Nullable Supplier<SQLException> lost;

  /** {@code unknown} is its state where a savepoint is not there. */
  ScriptedSession(String unknown) {
    this.unknown = unknown;
  }

  private record Numbered(int number) implements Savepoint {
    @Override
    public int getSavepointId() {
      return number;
    }

    @Override
    public String getSavepointName() {
      return "number " + number;
    }
  }

  /** From now on it says nothing else. */
  void lose(Supplier<SQLException> refusal) {
    lost = refusal;
  }

  Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                answer(method.getName(), arguments == null ? null : arguments[0]));
  }

  private @Nullable Object answer(String name, @Nullable Object savepoint) throws SQLException {
    if (lost != null) {
      throw lost.get();
    }
    if (name.equals("setSavepoint")) {
      Numbered fresh = new Numbered(++set);
      savepoints.add(fresh);
      return fresh;
    }
    if (savepoint != null && !savepoints.contains(savepoint)) {
      throw new SQLException("there is no savepoint " + savepoint, unknown);
    }
    if (savepoint == null && (name.equals("commit") || name.equals("rollback"))) {
      savepoints.clear();
    }
    return null;
  }
}
