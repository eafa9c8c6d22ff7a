package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.spi.Layout;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Wakeup;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class TransactionsTest {
  @Test
  void a_rollback_that_fails_does_not_hide_why_it_was_needed() {
    SQLException lost = new SQLException("connection lost while rolling back");
    Connection connection =
        proxy(
            Connection.class,
            method -> {
              if (method.equals("rollback")) {
                throw lost;
              }
              return method.equals("getAutoCommit") ? true : null;
            });
    DataSource dataSource = proxy(DataSource.class, method -> connection);

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                Transactions.run(
                    dataSource,
                    Outbox.create(store()),
                    each -> {
                      throw new IllegalStateException("business");
                    }))
        .withMessage("business")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).contains(lost));
  }

  private static OutboxStore store() {
    Map<String, Object> answers =
        Map.of("layout", new Layout(1, 4, Claiming.LANES), "wakeup", Wakeup.inProcess());
    return proxy(OutboxStore.class, answers::get);
  }

  private interface Answering {
    Object to(String method) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Answering answering) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> answering.to(method.getName())));
  }
}
