package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Archive;
import dev.outbox.Inbox;
import dev.outbox.Inbox.Answer;
import dev.outbox.Messages;
import dev.outbox.Outbox;
import dev.outbox.OutboxException;
import dev.outbox.Relay;
import dev.outbox.StoreException;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables that are there only when used: made alone, missed with the remedy, found when they come.
 */
@LooksAtWriters
final class OptionalTablesTest {
  private static int count(Sandbox sandbox, String table) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void run(Sandbox sandbox, String sql) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Connection begin(Sandbox sandbox) throws SQLException {
    Connection connection = sandbox.open();
    connection.setAutoCommit(false);
    return connection;
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_missing_table_of_keys_is_reported_and_the_transaction_goes_on(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.pool()));
      try (Connection connection = begin(sandbox)) {
        assertThatThrownBy(
                () -> outbox.enqueue(connection, Message.to("orders").dedupeKey("7").text("x")))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("Schema.builder(dataSource).with(Schema.Part.DEDUPE).create()")
            .hasMessageContaining("/dedupe.sql")
            .matches(e -> !((StoreException) e).isTransient());
        outbox.enqueue(connection, Message.to("orders").text("goes on"));
        connection.commit();
      }
      assertThat(count(sandbox, "outbox")).isEqualTo(1);
      Schema.builder(sandbox.pool()).with(Schema.Part.DEDUPE).create();
      try (Connection connection = begin(sandbox)) {
        outbox.enqueue(connection, Message.to("orders").dedupeKey("7").text("x"));
        connection.commit();
      }
      assertThat(count(sandbox, "outbox_dedupe")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_missing_table_of_slots_has_the_remedy_of_its_own_part(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).with(Schema.Part.DEDUPE).with(Schema.Part.RECEIPT).create();
      run(sandbox, "DROP TABLE outbox_dedupe_slot");
      run(sandbox, "DROP TABLE outbox_receipt_slot");
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.pool()));
      Inbox inbox = Inbox.create(JdbcInbox.create(sandbox.pool()));
      try (Connection connection = begin(sandbox)) {
        assertThatThrownBy(
                () -> outbox.enqueue(connection, Message.to("orders").dedupeKey("7").text("x")))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("/dedupe.sql")
            .hasMessageContaining("outbox_dedupe_slot");
        assertThatThrownBy(
                () -> inbox.once(connection, "mailer", MessageId.next(), transaction -> {}))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("/receipt.sql")
            .hasMessageContaining("outbox_receipt_slot");
        connection.commit();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_message_that_is_refused_leaves_its_key_free(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).with(Schema.Part.DEDUPE).create();
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.pool()));
      run(sandbox, "DROP TABLE outbox");
      try (Connection connection = begin(sandbox)) {
        assertThatThrownBy(
                () -> outbox.enqueue(connection, Message.to("orders").dedupeKey("7").text("x")))
            .isInstanceOf(StoreException.class);
        connection.commit();
      }
      assertThat(count(sandbox, "outbox_dedupe")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void an_inbox_needs_its_own_table_only_and_misses_it_with_the_remedy(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Inbox inbox = Inbox.create(JdbcInbox.create(sandbox.pool()));
      MessageId id = MessageId.next();
      try (Connection connection = begin(sandbox)) {
        assertThatThrownBy(() -> inbox.once(connection, "mailer", id, transaction -> {}))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("Schema.builder(dataSource).only(Schema.Part.RECEIPT).create()")
            .hasMessageContaining("/receipt.sql")
            .matches(e -> !((StoreException) e).isTransient());
        try (Statement statement = connection.createStatement()) {
          statement.execute("SELECT 1");
        }
        connection.commit();
      }
      Schema schema = Schema.builder(sandbox.pool()).only(Schema.Part.RECEIPT).build();
      assertThat(schema.verify()).isNotEmpty();
      schema.create();
      schema.create();
      assertThat(schema.verify()).isEmpty();
      assertThatThrownBy(() -> count(sandbox, "outbox_meta")).isInstanceOf(SQLException.class);
      try (Connection connection = begin(sandbox)) {
        assertThat(inbox.once(connection, "mailer", id, transaction -> {})).isEqualTo(Answer.DONE);
        connection.commit();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void an_inbox_may_stand_under_another_name(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).tablePrefix("mail").only(Schema.Part.RECEIPT).create();
      Inbox inbox = Inbox.create(JdbcInbox.builder(sandbox.pool()).tablePrefix("mail").build());
      try (Connection connection = begin(sandbox)) {
        inbox.once(connection, "mailer", MessageId.next(), transaction -> {});
        connection.commit();
      }
      assertThat(count(sandbox, "mail_receipt")).isEqualTo(1);
      assertThat(inbox.purge()).isZero();
      assertThatThrownBy(() -> JdbcInbox.builder(sandbox.pool()).tablePrefix("mail; --").build())
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void an_inbox_may_stand_in_another_schema(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      String app = sandbox.name() + "_app";
      run(sandbox, "CREATE SCHEMA " + app);
      try {
        Schema.builder(sandbox.pool()).schema(app).only(Schema.Part.RECEIPT).create();
        Inbox inbox = Inbox.create(JdbcInbox.builder(sandbox.pool()).schema(app).build());
        MessageId id = MessageId.next();
        try (Connection connection = begin(sandbox)) {
          inbox.once(connection, "mailer", id, transaction -> {});
          assertThat(inbox.once(connection, "mailer", id, transaction -> {}))
              .isEqualTo(Answer.REPEATED);
          connection.commit();
        }
        assertThat(count(sandbox, app + ".outbox_receipt")).isEqualTo(1);
        assertThat(inbox.purge()).isZero();
      } finally {
        boolean inside = database == Database.POSTGRES || database == Database.H2;
        run(sandbox, "DROP SCHEMA " + app + (inside ? " CASCADE" : ""));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void receipts_by_a_clock_of_a_test_are_over_when_it_says_so(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).only(Schema.Part.RECEIPT).create();
      AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
      JdbcInbox receipts = JdbcInbox.builder(sandbox.pool()).clock(now::get).build();
      Duration keep = Duration.ofDays(10);
      try (Connection connection = begin(sandbox)) {
        receipts.receive(connection, "mailer", List.of(MessageId.next()), keep);
        connection.commit();
      }
      now.updateAndGet(start -> start.plus(keep).minusSeconds(1));
      assertThat(receipts.purge(10)).isZero();
      now.updateAndGet(before -> before.plusSeconds(2));
      assertThat(receipts.purge(10)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_relay_that_is_to_keep_messages_without_a_table_for_them_is_refused_with_the_remedy(
      Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      JdbcStore store = JdbcStore.builder(sandbox.pool(3)).archive().build();
      Relay.Builder relay = Relay.builder(store, Publisher.blocking(each -> {}));

      assertThatThrownBy(relay::start)
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("table outbox_archive is missing")
          .hasMessageContaining("Schema.builder(dataSource).with(Schema.Part.ARCHIVE).create()")
          .hasMessageContaining("/archive.sql");

      Schema.builder(sandbox.pool()).with(Schema.Part.ARCHIVE).create();
      try (Relay started = relay.archiveRetention(Duration.ofDays(1)).start()) {
        assertThat(started.status().purgeFailingFor()).isNull();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_missing_archive_has_the_remedy_of_its_own_part(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      JdbcStore store = JdbcStore.builder(sandbox.pool()).archive().build();
      Instant to = store.now();

      for (ThrowingCallable asks :
          List.<ThrowingCallable>of(
              () -> Messages.create(store).find(MessageId.next()),
              () -> Archive.create(store).publishAgain("orders", Instant.EPOCH, to),
              () -> Archive.create(store).purge(Duration.ofDays(1)))) {
        assertThatThrownBy(asks)
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("Schema.builder(dataSource).with(Schema.Part.ARCHIVE).create()")
            .hasMessageContaining("/archive.sql");
      }
    }
  }

  /** An effect and its receipt are of one transaction, and a failing work takes back both. */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_a_failing_work_has_written_is_taken_back_with_its_receipt(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).only(Schema.Part.RECEIPT).create();
      run(sandbox, "CREATE TABLE effect (number INT PRIMARY KEY)");
      Inbox inbox = Inbox.create(JdbcInbox.create(sandbox.pool()));
      MessageId id = MessageId.next();
      try (Connection connection = begin(sandbox)) {
        assertThatThrownBy(
                () ->
                    inbox.once(
                        connection,
                        "mailer",
                        id,
                        transaction -> {
                          insert(transaction, 1);
                          insert(transaction, 1);
                        }))
            .isInstanceOf(SQLException.class);
        insert(connection, 2);
        connection.commit();
      }
      assertThat(count(sandbox, "effect")).isEqualTo(1);
      assertThat(count(sandbox, "outbox_receipt")).isZero();
    }
  }

  private static void insert(Connection connection, int number) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO effect (number) VALUES (" + number + ")");
    }
  }
}
