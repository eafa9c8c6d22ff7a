package dev.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.outbox.message.Message;
import dev.outbox.spi.Layout;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Wakeup;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class TransactionsTest {
  @Test
  void what_is_null_is_refused_by_name_and_at_once() {
    Outbox outbox = Outbox.create(store());

    assertThatNullPointerException()
        .isThrownBy(() -> outbox.join(null))
        .withMessage("transactions");
    assertThatNullPointerException()
        .isThrownBy(() -> Transactions.of(null, Runnable::run))
        .withMessage("use");
    assertThatNullPointerException()
        .isThrownBy(() -> Transactions.of(work -> {}, null))
        .withMessage("afterCommit");
    DataSource untouched = proxy(DataSource.class, method -> null);
    assertThatNullPointerException()
        .isThrownBy(() -> Transactions.run(null, outbox, transaction -> {}))
        .withMessage("dataSource");
    assertThatNullPointerException()
        .isThrownBy(() -> Transactions.run(untouched, null, transaction -> {}))
        .withMessage("outbox");
    Transactions.Work<SQLException> nothing = null;
    assertThatNullPointerException()
        .isThrownBy(() -> Transactions.run(untouched, outbox, nothing))
        .withMessage("work");
    Transactions.Call<String, SQLException> none = null;
    assertThatNullPointerException()
        .isThrownBy(() -> Transactions.call(untouched, outbox, none))
        .withMessage("work");
  }

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

  @Test
  void a_framework_that_lends_no_connection_loses_no_message_silently() {
    Outbox.Joined joined =
        Outbox.create(store()).join(Transactions.of(work -> {}, action -> action.run()));

    assertThatIllegalStateException()
        .isThrownBy(() -> joined.enqueue(List.of(Message.to("t").text("x"))))
        .withMessage(
            "use(..) of the Transactions called its work 0 times, it must be once; let it throw where there is no transaction");
  }

  @Test
  void a_framework_that_does_the_work_again_is_refused() {
    Transactions twice =
        Transactions.of(
            work -> {
              work.accept(inTransaction());
              work.accept(inTransaction());
            },
            action -> {});
    Outbox.Joined joined = Outbox.create(store()).join(twice);

    assertThatIllegalStateException()
        .isThrownBy(() -> joined.enqueue(Message.to("t").text("x")))
        .withMessageContaining("called its work 2 times");
  }

  @Test
  void a_joined_outbox_names_the_argument_that_is_null() {
    Outbox.Joined joined = Outbox.create(store()).join(Transactions.of(work -> {}, action -> {}));

    assertThatNullPointerException()
        .isThrownBy(() -> joined.enqueue((Message) null))
        .withMessage("message");
    assertThatNullPointerException()
        .isThrownBy(() -> joined.enqueue((List<Message>) null))
        .withMessage("messages");
  }

  private static Connection inTransaction() {
    return proxy(Connection.class, method -> false);
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
