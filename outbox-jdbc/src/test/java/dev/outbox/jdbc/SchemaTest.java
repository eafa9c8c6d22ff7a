package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.Inbox;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.StoreException;
import dev.outbox.Transactions;
import dev.outbox.cluster.Clusters;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Layout;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SchemaTest {
  private static void run(Sandbox sandbox, String sql) throws SQLException {
    try (Connection connection = sandbox.open();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_was_created_is_complete_and_can_be_created_again(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema schema =
          Schema.builder(sandbox.pool())
              .with(Schema.Part.ARCHIVE)
              .with(Schema.Part.DEDUPE)
              .with(Schema.Part.RECEIPT)
              .build();
      assertThat(schema.verify()).isNotEmpty();
      schema.create();
      schema.create();
      assertThat(schema.verify()).isEmpty();
      assertThat(JdbcStore.create(sandbox.pool()).layout())
          .isEqualTo(new Layout(3, 32, Claiming.LANES));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void many_processes_may_create_at_once(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      ExecutorService processes = Executors.newFixedThreadPool(6);
      try {
        Callable<Void> create =
            () -> {
              Schema.builder(sandbox.pool()).lanes(1024).create();
              return null;
            };
        for (Future<Void> done :
            processes.invokeAll(Stream.generate(() -> create).limit(6).toList())) {
          done.get();
        }
      } finally {
        processes.shutdown();
      }
      assertThat(Schema.builder(sandbox.pool()).lanes(1024).build().verify()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void another_layout_is_refused_with_both_numbers(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).lanes(8).create();
      assertThatThrownBy(() -> Schema.builder(sandbox.pool()).lanes(16).create())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("8 lanes")
          .hasMessageContaining("16 lanes");
      assertThatThrownBy(() -> Schema.builder(sandbox.pool()).claiming(Claiming.ROWS).create())
          .hasMessageContaining("claiming by LANES")
          .hasMessageContaining("claiming by ROWS");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void other_clusters_are_refused_before_anything_is_made(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      assertThatThrownBy(() -> Schema.builder(sandbox.pool()).clusters(Clusters.of(3, 1)).create())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("claiming by LANES; this Schema asks for")
          .hasMessageContaining("cluster 1 of 3")
          .hasMessageContaining("tablePrefix(..)")
          .hasMessageNotContaining("Change the number of lanes");
      for (String table : List.of("outbox_beat", "outbox_takeover")) {
        assertThatThrownBy(() -> run(sandbox, "SELECT 1 FROM " + table))
            .isInstanceOf(SQLException.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_column_that_the_layout_needs_is_named(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      run(sandbox, "ALTER TABLE outbox_meta DROP COLUMN clusters");

      assertThatThrownBy(() -> Schema.builder(sandbox.pool()).create())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("column outbox_meta.clusters is missing");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void tables_may_stand_in_a_schema_with_a_prefix(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      String app = sandbox.name() + "_app";
      run(sandbox, "CREATE SCHEMA " + app);
      try {
        Schema schema = Schema.builder(sandbox.pool()).schema(app).tablePrefix("mail").build();
        schema.create();
        assertThat(schema.verify()).isEmpty();
        run(sandbox, "SELECT * FROM " + app + ".mail_lane");
        delivers(
            sandbox, JdbcStore.builder(sandbox.pool()).schema(app).tablePrefix("mail").build());
      } finally {
        boolean inside = database == Database.POSTGRES || database == Database.H2;
        run(sandbox, "DROP SCHEMA " + app + (inside ? " CASCADE" : ""));
      }
    }
  }

  @Test
  void tables_may_stand_in_a_later_schema_of_the_search_path() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        HikariDataSource pool = new HikariDataSource()) {
      Schema.builder(sandbox.pool()).create();
      Schema.builder(sandbox.pool()).only(Schema.Part.RECEIPT).create();
      run(sandbox, "CREATE SCHEMA app");
      pool.setJdbcUrl(sandbox.url());
      pool.setUsername(sandbox.user());
      pool.setPassword(sandbox.password());
      pool.setConnectionInitSql("SET search_path = app, public");
      Schema.builder(pool).with(Schema.Part.ARCHIVE).create();
      Schema.builder(pool).only(Schema.Part.RECEIPT).create();
      assertThat(Schema.builder(pool).build().verify()).isEmpty();
      run(sandbox, "SELECT * FROM public.outbox_archive CROSS JOIN public.outbox_receipt");
      run(sandbox, "DROP SCHEMA app RESTRICT; CREATE SCHEMA app"); // which is empty
      delivers(sandbox, JdbcStore.create(pool));
      run(sandbox, "CREATE SCHEMA zoo");
      run(sandbox, "CREATE TABLE zoo.outbox_delayed (LIKE outbox_delayed INCLUDING ALL)");
      run(sandbox, "DROP INDEX outbox_delayed_heads");
      assertThat(Schema.builder(pool).build().verify())
          .as("the table beside it that has the index is another one")
          .singleElement(STRING)
          .startsWith("table outbox_delayed has no index on");
    }
  }

  /** One that is left by a CREATE INDEX CONCURRENTLY that failed is used by no query. */
  @Test
  void an_index_that_is_not_valid_is_missing() throws SQLException {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Schema schema = Schema.builder(sandbox.pool()).build();
      schema.create();
      run(
          sandbox,
          "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'outbox_dead_died'::regclass");
      schema.create();
      assertThat(schema.verify())
          .as("another session may just build it")
          .singleElement(STRING)
          .startsWith("table outbox_dead has no index on (died_at)")
          .endsWith("run DROP INDEX outbox_dead_died, then create()");
      run(sandbox, "DROP INDEX outbox_dead_died");
      schema.create();
      assertThat(schema.verify()).isEmpty();
    }
  }

  /** Else both had one set of keys, and a message of one was taken for a repeat of the other's. */
  @Test
  void a_table_of_another_outbox_in_a_later_schema_of_the_search_path_is_left_to_it()
      throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      run(sandbox, "CREATE SCHEMA tenant");
      DataSource tenant =
          TamperedDataSource.greeting(sandbox.dataSource(), "SET search_path = tenant, public");
      Schema.builder(tenant).create();
      Schema whole = withAllParts(sandbox.pool());
      whole.create();

      Schema.builder(tenant).only(Schema.Part.RECEIPT).create();
      assertThat(withAllParts(tenant).verify())
          .containsExactly("table outbox_archive is missing", "table outbox_dedupe is missing");
      withAllParts(tenant).create();

      run(sandbox, "SELECT * FROM tenant.outbox_archive, tenant.outbox_receipt");
      enqueueOnce(sandbox.pool());
      enqueueOnce(tenant);
      run(sandbox, "SELECT 1 / count(*) FROM tenant.outbox");
      run(sandbox, "DROP SCHEMA public CASCADE");
      assertThat(withAllParts(tenant).verify()).as("with indexes of its own").isEmpty();
    }
  }

  /** Else the later one found the receipts of the first, and an effect of it was lost. */
  @Test
  void consumers_without_an_outbox_have_receipts_of_their_own_beside_an_outbox_of_a_producer()
      throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      Schema.builder(sandbox.pool()).create();
      MessageId id = new MessageId(new UUID(1, 1));
      for (String tenant : List.of("c1", "c2")) {
        run(sandbox, "CREATE SCHEMA " + tenant);
        DataSource consumer =
            TamperedDataSource.greeting(
                sandbox.dataSource(), "SET search_path = " + tenant + ", public");
        Schema receipts = Schema.builder(consumer).only(Schema.Part.RECEIPT).build();
        receipts.create();
        receipts.create();
        assertThat(receipts.verify()).isEmpty();
        Inbox inbox = Inbox.create(JdbcInbox.create(consumer));
        try (Connection connection = consumer.getConnection()) {
          connection.setAutoCommit(false);
          assertThat(inbox.receive(connection, "mailer", List.of(id)).fresh()).containsExactly(id);
          connection.commit();
        }
      }
    }
  }

  private static Schema withAllParts(DataSource dataSource) {
    return Schema.builder(dataSource)
        .with(Schema.Part.ARCHIVE)
        .with(Schema.Part.DEDUPE)
        .with(Schema.Part.RECEIPT)
        .build();
  }

  private static void enqueueOnce(DataSource dataSource) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
    Transactions.run(
        dataSource,
        outbox,
        connection -> outbox.enqueue(connection, Message.to("t").dedupeKey("1").text("1")));
  }

  /** With this mode MySQL's driver sends a text that has a quote as bytes. */
  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_session_without_backslash_escapes_delivers(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(sandbox.url());
      pool.setUsername(sandbox.user());
      pool.setPassword(sandbox.password());
      pool.addDataSourceProperty("sessionVariables", "sql_mode='ANSI,NO_BACKSLASH_ESCAPES'");
      Schema.builder(pool).create();
      delivers(sandbox, JdbcStore.create(pool));
      assertThat(JdbcStore.create(pool).snapshot(10).topics()).isEmpty();
    }
  }

  private static void delivers(Sandbox sandbox, JdbcStore store) throws Exception {
    Outbox outbox = Outbox.create(store);
    CountDownLatch delivered = new CountDownLatch(1);
    try (Relay relay =
        Relay.builder(store, Publisher.blocking(envelope -> delivered.countDown())).start()) {
      assertThat(relay.name()).isNotEmpty();
      Transactions.run(
          sandbox.pool(),
          outbox,
          connection -> outbox.enqueue(connection, List.of(Message.to("t").text("1"))));
      assertThat(delivered.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void one_missing_table_does_not_hide_the_others_in_a_transaction() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        HikariDataSource pool = new HikariDataSource()) {
      Schema.builder(sandbox.pool()).create();
      run(sandbox, "DROP TABLE outbox_parked");
      pool.setJdbcUrl(sandbox.url());
      pool.setUsername(sandbox.user());
      pool.setPassword(sandbox.password());
      pool.setMaximumPoolSize(1);
      pool.setAutoCommit(false);
      assertThat(Schema.builder(pool).build().verify())
          .containsExactly("table outbox_parked is missing");
      try (Connection connection = pool.getConnection()) {
        assertThat(connection.getAutoCommit()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void missing_tables_are_reported_with_the_remedy(Database database) {
    try (Sandbox sandbox = database.sandbox()) {
      assertThatThrownBy(() -> JdbcStore.create(sandbox.pool()))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("outbox_meta")
          .hasMessageContaining("Schema.builder(dataSource)")
          .hasMessageContaining("dev/outbox/jdbc/ddl/")
          .matches(e -> !((StoreException) e).isTransient());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_table_of_another_program_is_refused_before_anything_is_made(Database database)
      throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      run(sandbox, "CREATE TABLE outbox (id int, topic varchar(100))");
      Schema schema = Schema.builder(sandbox.pool()).with(Schema.Part.ARCHIVE).build();
      assertThatThrownBy(schema::create)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("column outbox.lane is missing; column outbox.message_id is")
          .hasMessageContaining("column outbox.topic holds 100 characters, it must hold 255")
          .hasMessageContaining("give Schema and JdbcStore another tablePrefix(..)");
      assertThat(schema.verify()).contains("table outbox_meta is missing");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_is_missing_or_wrong_is_named(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      Schema schema = Schema.builder(sandbox.pool()).build();
      schema.create();
      run(sandbox, "ALTER TABLE outbox_parked DROP COLUMN history");
      run(sandbox, "ALTER TABLE outbox DROP COLUMN content_type");
      run(sandbox, "ALTER TABLE outbox ADD COLUMN content_type varchar(20)");
      run(sandbox, "DROP TABLE outbox_topic");
      boolean mysql = database == Database.MYSQL || database == Database.MARIADB;
      run(sandbox, "DROP INDEX outbox_dead_died" + (mysql ? " ON outbox_dead" : ""));
      List<String> findings = schema.verify();
      assertThat(findings)
          .hasSize(4)
          .anyMatch(finding -> finding.contains("outbox_parked") && finding.contains("history"))
          .anyMatch(finding -> finding.contains("content_type") && finding.contains("20"))
          .anyMatch(finding -> finding.contains("outbox_topic"))
          .anyMatch(finding -> finding.contains("outbox_dead") && finding.contains("died_at"));
    }
  }
}
