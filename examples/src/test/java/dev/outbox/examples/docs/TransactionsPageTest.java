package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Outbox;
import dev.outbox.examples.pages.Transacting;
import dev.outbox.examples.pages.Transacting.Order;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Runs the code of docs/transactions.md. */
class TransactionsPageTest {
  @Test
  void each_way_enqueues_once() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      DataSource dataSource = prepared(sandbox);
      JdbcStore store = JdbcStore.create(dataSource);
      Outbox outbox = Outbox.create(store);
      Transacting.byHand(dataSource, outbox, new Order("1", 10));
      Transacting.byHelper(dataSource, outbox, new Order("2", 20));
      Transacting.byJdbi(Jdbi.create(dataSource), outbox, new Order("3", 30));
      InMemoryBroker broker = InMemoryBroker.create();
      try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
        relay.drainNow();
      }
      assertThat(broker.texts("orders.placed", "3")).containsExactly("{\"id\":\"3\",\"cents\":30}");
      assertThat(broker.count()).isEqualTo(3);
    }
  }

  @Test
  void the_beans_of_spring_join_its_transactions_and_refuse_without_one() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      prepared(sandbox);
      HikariConfig config = new HikariConfig();
      config.setDataSource(sandbox.dataSource());
      config.setAutoCommit(false);
      BlockingQueue<String> sent = new LinkedBlockingQueue<>();
      try (HikariDataSource pool = new HikariDataSource(config);
          AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
        context.registerBean(DataSource.class, () -> pool, it -> it.setDestroyMethodName(""));
        context.registerBean(JdbcTemplate.class, () -> new JdbcTemplate(pool));
        context.registerBean(
            Publisher.class,
            () -> Publisher.blocking(envelope -> sent.add(envelope.payload().text())));
        context.register(SpringOutbox.class);
        context.refresh();
        Outbox.Joined outbox = context.getBean(Outbox.Joined.class);
        TransactionTemplate template = new TransactionTemplate(new JdbcTransactionManager(pool));

        assertThatIllegalStateException()
            .isThrownBy(() -> outbox.enqueue(message("outside")))
            .withMessageStartingWith("no transaction");
        template.executeWithoutResult(
            status -> {
              outbox.enqueue(message("turned back"));
              status.setRollbackOnly();
            });
        template.executeWithoutResult(status -> outbox.enqueue(message("placed")));

        assertThat(sent.poll(20, TimeUnit.SECONDS)).isEqualTo("placed");
      }
      assertThat(sent).isEmpty();
    }
  }

  private static Message message(String text) {
    return Message.to("orders.placed").key("42").text(text);
  }

  private static DataSource prepared(Sandbox sandbox) throws Exception {
    Schema.builder(sandbox.dataSource()).create();
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id VARCHAR(40), cents INT)");
    }
    return sandbox.dataSource();
  }
}
