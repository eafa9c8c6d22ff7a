package dev.outbox.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.examples.pages.ByReference;
import dev.outbox.examples.pages.Operating;
import dev.outbox.examples.pages.WorkQueue;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Runs the code of pages without their own test. */
class PagesTest {
  @Test
  void a_payload_by_reference_is_loaded_by_the_relay() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      DataSource dataSource = sandbox.pool(10);
      Schema.builder(dataSource).create();
      run(dataSource, "CREATE TABLE mail_deliveries (id VARCHAR(40) PRIMARY KEY, body VARCHAR)");
      run(
          dataSource,
          "CREATE TABLE orders (id INT PRIMARY KEY, customer INT, total DECIMAL(9, 2), placed_at"
              + " TIMESTAMP)");
      JdbcStore store = JdbcStore.create(dataSource);
      Outbox outbox = Outbox.create(store);
      BlockingQueue<String> sent = new LinkedBlockingQueue<>();
      Publisher publisher = Publisher.blocking(envelope -> sent.add(envelope.payload().text()));
      Relay relay = ByReference.start(dataSource, store, publisher);
      try (relay) {
        ByReference.Mail mail = new ByReference.Mail("7", "ann", "Hello Ann");
        Transactions.run(dataSource, outbox, tx -> ByReference.request(outbox, tx, mail));
        assertThat(sent.poll(20, TimeUnit.SECONDS)).isEqualTo("Hello Ann");
      }
    }
  }

  @Test
  void work_of_two_kinds_is_done_in_the_database() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      DataSource dataSource = sandbox.pool(10);
      run(dataSource, "CREATE TABLE invoices (text VARCHAR(40))");
      run(dataSource, "CREATE TABLE reports (text VARCHAR(40))");
      Relay relay = WorkQueue.start(dataSource);
      try (relay) {
        Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
        List<Message> work =
            List.of(Message.to("invoices").text("1"), Message.to("reports").text("2"));
        Transactions.run(dataSource, outbox, tx -> outbox.enqueue(tx, work));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (relay.status().counts().delivered() < 2 && System.nanoTime() < deadline) {
          Thread.onSpinWait();
        }
      }
      assertThat(count(dataSource, "invoices")).isEqualTo(1);
      assertThat(count(dataSource, "reports")).isEqualTo(1);
    }
  }

  @Test
  void an_operator_finds_nothing_to_do_on_an_empty_store() {
    InMemoryStore store = InMemoryStore.create();
    Operating.topics(store);
    Operating.dead(store);
    assertThat(store.topics().all()).hasSize(1);
  }

  private static void run(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int count(DataSource dataSource, String table) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }
}
