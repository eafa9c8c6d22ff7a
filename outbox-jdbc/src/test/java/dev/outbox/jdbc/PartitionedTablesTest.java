package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Archive;
import dev.outbox.DeadLetters;
import dev.outbox.Inbox;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.jdbc.dialect.PostgresDialect;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.jdbc.shape.PurgeSql;
import dev.outbox.jdbc.sql.DeadStatement;
import dev.outbox.jdbc.sql.OnceStatement;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** On PostgreSQL a ctid tells rows apart within a partition only, and purges delete by ctid. */
final class PartitionedTablesTest {
  private static final String OLD = "now() - INTERVAL '2 days'";
  private static final String LETTER =
      "INSERT INTO outbox_dead (dead_id, lane, id, message_id, topic, content_type, origin,"
          + " created_at, reason, attempts, died_at, holds)"
          + " VALUES (%1$d, 0, %1$d, gen_random_uuid(), 't', 'c', 0, now(), 'FAILED', 1, %2$s, %3$d)";
  private static final String ARCHIVED =
      "INSERT INTO outbox_archive"
          + " (lane, id, message_id, topic, content_type, origin, created_at, completed_at)"
          + " VALUES (0, %d, gen_random_uuid(), 't', 'c', 0, now(), %s)";
  private static final String RECEIPT =
      "INSERT INTO outbox_receipt VALUES ('%s', gen_random_uuid(), now(), %s)";
  private static final String KEY =
      "INSERT INTO outbox_dedupe VALUES ('%s', 'k', gen_random_uuid(), now(), %s)";

  private Sandbox sandbox;
  private JdbcStore store;

  @BeforeEach
  void open() {
    sandbox = Database.POSTGRES.sandbox();
    Schema.builder(sandbox.pool())
        .with(Schema.Part.ARCHIVE)
        .with(Schema.Part.DEDUPE)
        .with(Schema.Part.RECEIPT)
        .create();
    store = JdbcStore.builder(sandbox.pool()).archive().build();
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  private void run(String... statements) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private List<String> texts(String sql) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> texts = new ArrayList<>();
      while (row.next()) {
        texts.add(row.getString(1));
      }
      return texts;
    }
  }

  /** Gives an empty table two partitions, the second of which begins at {@code bound}. */
  private void part(String table, String column, String bound) throws SQLException {
    run(
        "ALTER TABLE %s RENAME TO whole".formatted(table),
        "CREATE TABLE %s (LIKE whole INCLUDING ALL) PARTITION BY RANGE (%s)"
            .formatted(table, column),
        "DROP TABLE whole",
        "CREATE TABLE one PARTITION OF %s FOR VALUES FROM (MINVALUE) TO (%s)"
            .formatted(table, bound),
        "CREATE TABLE two PARTITION OF %s FOR VALUES FROM (%s) TO (MAXVALUE)"
            .formatted(table, bound));
  }

  private void assertSamePlaces() throws SQLException {
    assertThat(texts("SELECT ctid FROM one ORDER BY 1"))
        .isNotEmpty()
        .isEqualTo(texts("SELECT ctid FROM two ORDER BY 1"));
  }

  @Test
  void a_purge_keeps_young_dead_letters_and_those_that_hold_their_key() throws SQLException {
    part("outbox_dead", "dead_id", "10");
    run(
        LETTER.formatted(1, OLD, 0),
        LETTER.formatted(2, OLD, 0),
        LETTER.formatted(11, "now()", 0),
        LETTER.formatted(12, OLD, 1));
    assertSamePlaces();

    assertThat(DeadLetters.create(store).purge(Duration.ofDays(1))).isEqualTo(2);
    assertThat(texts("SELECT dead_id FROM outbox_dead ORDER BY 1")).containsExactly("11", "12");
  }

  @Test
  void a_purge_keeps_young_messages_of_the_archive() throws SQLException {
    part("outbox_archive", "id", "10");
    run(ARCHIVED.formatted(1, OLD), ARCHIVED.formatted(11, "now()"));
    assertSamePlaces();

    assertThat(Archive.create(store).purge(Duration.ofDays(1))).isEqualTo(1);
    assertThat(texts("SELECT id FROM outbox_archive")).containsExactly("11");
  }

  @Test
  void a_purge_keeps_receipts_that_are_not_over() throws SQLException {
    part("outbox_receipt", "consumer", "'m'");
    run(RECEIPT.formatted("a", OLD), RECEIPT.formatted("z", "now() + INTERVAL '1 day'"));
    assertSamePlaces();

    assertThat(Inbox.create(JdbcInbox.create(sandbox.pool())).purge()).isEqualTo(1);
    assertThat(texts("SELECT consumer FROM outbox_receipt")).containsExactly("z");
  }

  @Test
  void a_purge_keeps_dedupe_keys_that_are_not_over() throws SQLException {
    part("outbox_dedupe", "topic", "'m'");
    run(KEY.formatted("a", OLD), KEY.formatted("z", "now() + INTERVAL '1 day'"));
    assertSamePlaces();

    assertThat(Outbox.create(store).purgeDedupeKeys()).isEqualTo(1);
    assertThat(texts("SELECT topic FROM outbox_dedupe")).containsExactly("z");
  }

  /** As the doctor says, who refuses claims by rows there. */
  @Test
  void claims_by_lanes_deliver_from_partitions() throws Exception {
    part("outbox", "id", "3");
    Outbox outbox = Outbox.create(store);
    CountDownLatch delivered = new CountDownLatch(4);
    List<Message> messages = Collections.nCopies(4, Message.to("t").text("x"));
    try (Relay relay =
        Relay.builder(store, Publisher.blocking(envelope -> delivered.countDown())).start()) {
      Transactions.run(sandbox.pool(), outbox, connection -> outbox.enqueue(connection, messages));
      assertThat(delivered.await(20, TimeUnit.SECONDS)).as("%s", relay.status()).isTrue();
    }
    assertThat(texts("SELECT id FROM outbox")).isEmpty();
  }

  /** By the condition alone, each batch would go through what those before it have deleted. */
  @Test
  void a_purge_finds_its_rows_by_ctid() throws SQLException {
    String rows = "FROM generate_series(1, 20000) i";
    run(
        "INSERT INTO outbox_dead (lane, id, message_id, topic, content_type, origin, created_at,"
            + " reason, attempts, died_at) SELECT 0, i, gen_random_uuid(), 't', 'c', 0, now(),"
            + " 'FAILED', 1, now() - i * INTERVAL '1 minute' "
            + rows,
        "INSERT INTO outbox_archive"
            + " (lane, id, message_id, topic, content_type, origin, created_at, completed_at)"
            + " SELECT 0, i, gen_random_uuid(), 't', 'c', 0, now(), now() - i * INTERVAL '1 hour' "
            + rows,
        "INSERT INTO outbox_receipt"
            + " SELECT 'c', gen_random_uuid(), now(), now() - i * INTERVAL '1 minute' "
            + rows,
        "INSERT INTO outbox_dedupe SELECT 't', i, gen_random_uuid(), now(), now() "
            + "- i * INTERVAL '1 minute' "
            + rows,
        "ANALYZE");
    Statements statements = Statements.of(new PostgresDialect());
    for (String text :
        List.of(
            statements.text(DeadStatement.PURGE_DEAD),
            statements.text(DeadStatement.PURGE_ARCHIVE),
            ((PurgeSql.Direct) statements.purge(OnceStatement.PURGE_RECEIPTS)).sql(),
            ((PurgeSql.Direct) statements.purge(OnceStatement.PURGE_KEYS)).sql())) {
      String sql =
          Tables.of(null, "outbox", 63)
              .render(text, new PostgresDialect().clock())
              .replace(":from", "now() - INTERVAL '500 hours'")
              .replace(":up_to", "now() - INTERVAL '499 hours'")
              .replace(":retention", "1000000")
              .replace(":limit", "1000");
      assertThat(texts("EXPLAIN " + sql))
          .anyMatch(line -> line.contains("Tid Scan"))
          .noneMatch(line -> line.contains("Seq Scan") || line.contains("Sort"));
    }
  }
}
