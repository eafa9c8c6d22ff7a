package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a look asks of the database: so little that it may be done each minute. */
class LookCostTest {
  private static final int MOST = 10;

  private final List<String> statements = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES", "MYSQL", "MARIADB"})
  void a_look_has_few_statements_however_many_topics_there_are(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.dataSource()).create();
      JdbcStore store = JdbcStore.create(counted(sandbox.pool(2)));
      try (OutboxMetrics metrics = OutboxMetrics.builder(store).always().build()) {
        metrics.sampler().turn(System.nanoTime());
        statements.clear();
        metrics.sampler().turn(System.nanoTime() + Duration.ofMinutes(2).toNanos());
      }
      assertThat(statements).isNotEmpty().anyMatch(each -> each.contains("outbox_lane"));
      long asked = statements.stream().mapToLong(LookCostTest::parts).sum();
      assertThat(asked + 2).as("with BEGIN and COMMIT: %s", statements).isLessThanOrEqualTo(MOST);
    }
  }

  private static long parts(String sql) {
    return List.of(sql.split(";", -1)).stream().filter(part -> !part.isBlank()).count();
  }

  private DataSource counted(DataSource pool) {
    return proxy(DataSource.class, pool);
  }

  private <T> T proxy(Class<T> type, Object real) {
    InvocationHandler handler = (self, method, arguments) -> call(real, method, arguments);
    return type.cast(
        Proxy.newProxyInstance(
            LookCostTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object call(Object real, Method method, Object[] arguments) throws Throwable {
    if (arguments != null
        && arguments.length > 0
        && arguments[0] instanceof String sql
        && (method.getName().startsWith("prepare") || method.getName().startsWith("execute"))) {
      statements.add(sql);
    }
    Object result;
    try {
      result = method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    return wrapped(method.getReturnType(), result);
  }

  private Object wrapped(Class<?> type, Object result) {
    if (result == null) {
      return null;
    }
    return List.<Class<?>>of(
                Connection.class, CallableStatement.class, PreparedStatement.class, Statement.class)
            .contains(type)
        ? proxy(type, result)
        : result;
  }
}
