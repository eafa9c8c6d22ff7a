package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Inbox;
import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.MariaDbDialect;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables are made and upgraded while transactions of the application are open. */
@LooksAtWriters
final class SchemaBesideWritersTest {
  private static final Executor OTHERS = task -> new Thread(task).start();
  static final List<String> OF_VERSION_2 =
      List.of(
          "ALTER TABLE outbox_meta DROP COLUMN clusters",
          "ALTER TABLE outbox_meta DROP COLUMN cluster_id",
          "ALTER TABLE outbox_lane DROP COLUMN lease_micros",
          "UPDATE outbox_meta SET schema_version = 2");

  static void run(Sandbox sandbox, List<String> statements) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static CompletableFuture<Void> start(Sandbox sandbox, Work work) {
    return CompletableFuture.runAsync(
        () -> {
          try (Connection connection = sandbox.open()) {
            work.on(connection);
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        },
        OTHERS);
  }

  private interface Work {
    void on(Connection connection) throws SQLException;
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void create_again_waits_for_no_transaction(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Connection open = sandbox.open()) {
      Schema schema =
          Schema.builder(sandbox.pool()).with(Schema.Part.DEDUPE).with(Schema.Part.RECEIPT).build();
      schema.create();
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.pool()));
      Inbox inbox = Inbox.create(JdbcInbox.create(sandbox.pool()));
      open.setAutoCommit(false);
      open.createStatement().executeQuery("SELECT lane FROM outbox_lane FOR UPDATE").close();
      write(open, outbox, inbox, 1);

      start(sandbox, any -> schema.create()).get(2, TimeUnit.SECONDS);

      start(
              sandbox,
              third -> {
                third.setAutoCommit(false);
                write(third, outbox, inbox, 2);
                third.commit();
              })
          .get(2, TimeUnit.SECONDS);
    }
  }

  private static void write(Connection transaction, Outbox outbox, Inbox inbox, int number)
      throws SQLException {
    String text = String.valueOf(number);
    outbox.enqueue(transaction, Message.to("orders").dedupeKey(text).text(text));
    outbox.enqueue(transaction, Message.to("later").deliverAfter(Duration.ofHours(1)).text(text));
    inbox.once(transaction, "mailer", new MessageId(new UUID(number, number)), same -> {});
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void writers_go_on_while_an_upgrade_waits_for_a_transaction(Database database) throws Exception {
    String insert = DocsPage.TABLES.statements("insert", database).get(0);
    try (Sandbox sandbox = database.sandbox();
        Connection open = sandbox.open();
        Statement writer = open.createStatement()) {
      Schema schema = Schema.builder(sandbox.pool()).build();
      schema.create();
      run(sandbox, OF_VERSION_2);
      open.setAutoCommit(false);
      writer.execute(insert);
      CompletableFuture<Void> upgrade = start(sandbox, any -> schema.upgrade());
      while (!upgrade.isDone() && !isAnyWaiting(sandbox, database)) {
        Thread.sleep(20);
      }

      start(
              sandbox,
              another -> {
                try (Statement second = another.createStatement()) {
                  second.execute(insert);
                }
              })
          .get(10, TimeUnit.SECONDS);

      assertThat(upgrade).isNotDone();
      open.commit();
      upgrade.get(20, TimeUnit.SECONDS);
      assertThat(schema.verify()).isEmpty();
    }
  }

  private static boolean isAnyWaiting(Sandbox sandbox, Database database) throws SQLException {
    String waiting =
        database == Database.POSTGRES
            ? "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = to_regclass('outbox_meta')"
            : "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND state LIKE '%metadata lock'";
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(waiting)) {
      return row.next();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_connection_goes_back_as_it_came(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource one = sandbox.pool(1);
      String before = settings(one, database);
      Schema.builder(one).create();
      run(sandbox, OF_VERSION_2);
      Schema.builder(one).build().upgrade();
      assertThat(settings(one, database)).isEqualTo(before);
    }
  }

  /** The build of an index was cut at the limit of a role or a pool, and begun again 20 times. */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MARIADB"})
  void a_statement_takes_longer_than_the_session_allows(Database database) throws SQLException {
    boolean isPostgres = database == Database.POSTGRES;
    Dialect dialect = isPostgres ? new PostgresDialect() : new MariaDbDialect();
    String nap = isPostgres ? "CAST(pg_sleep(2) AS text)" : "SLEEP(2)";
    try (Sandbox sandbox = database.sandbox()) {
      DataSource one = sandbox.pool(1);
      try (Connection connection = one.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(
            isPostgres ? "SET statement_timeout = '1s'" : "SET max_statement_time = 1");
      }
      String before = settings(one, database);
      Ddl ddl =
          new Ddl(
              dialect,
              Tables.of(null, "outbox", dialect.maxIdentifier()),
              "CREATE TABLE slow AS SELECT " + nap + " AS nap");
      ddl.apply(one);
      run(sandbox, List.of("SELECT nap FROM slow"));
      assertThat(settings(one, database)).isEqualTo(before);
    }
  }

  private static String settings(DataSource dataSource, Database database) throws SQLException {
    String limits =
        switch (database) {
          case POSTGRES ->
              "CONCAT(current_setting('lock_timeout'), ' ', current_setting('statement_timeout'))";
          case MYSQL ->
              "CONCAT(@@SESSION.lock_wait_timeout, ' ', @@SESSION.innodb_lock_wait_timeout)";
          case MARIADB ->
              "CONCAT(@@SESSION.lock_wait_timeout, ' ', @@SESSION.innodb_lock_wait_timeout, ' ', @@SESSION.max_statement_time)";
          default -> "LOCK_TIMEOUT()";
        };
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + limits)) {
      row.next();
      return "%s, isolation %d, autocommit %s"
          .formatted(
              row.getString(1), connection.getTransactionIsolation(), connection.getAutoCommit());
    }
  }

  @Test
  void a_statement_that_never_gets_its_lock_is_named() {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      DataSource busy =
          TamperedDataSource.refusing(
              sandbox.pool(), "commit", new SQLException("lock timeout", "55P03"));
      assertThatThrownBy(() -> Schema.builder(busy).only(Schema.Part.ARCHIVE).create())
          .isInstanceOf(StoreException.class)
          .matches(e -> ((StoreException) e).isTransient())
          .hasMessageStartingWith("CREATE TABLE IF NOT EXISTS outbox_archive (")
          .hasMessageContaining("If one is another upgrade that builds an index, let that end. End")
          .hasMessageContaining("others that are long, or wait until they end, and run this again");
    }
  }

  /** Its DDL is refused at once: without a pause 20 attempts end before a transaction does. */
  @Test
  void oracle_is_asked_again_after_5_s() {
    try (Sandbox sandbox = Database.H2_ORACLE.sandbox()) {
      AtomicInteger commits = new AtomicInteger();
      DataSource busy =
          new TamperedDataSource(
              sandbox.pool(),
              (connection, method, arguments) -> {
                if (method.getName().equals("commit") && commits.getAndIncrement() == 0) {
                  throw new SQLException("ORA-00054: resource busy", "61000", 54);
                }
                return TamperedDataSource.passed(connection, method, arguments);
              });
      Tables tables = Tables.of(null, "outbox", 128);
      long begun = System.nanoTime();
      new Ddl(new OracleDialect(), tables, "SELECT 1 FROM DUAL").apply(busy);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(4));
      assertThat(commits).hasValue(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_an_upgrade_cannot_mend_is_named_at_its_end(Database database) throws SQLException {
    try (Sandbox sandbox = database.sandbox()) {
      Schema schema = Schema.builder(sandbox.pool()).build();
      schema.create();
      run(sandbox, OF_VERSION_2);
      run(sandbox, List.of("ALTER TABLE outbox_parked DROP COLUMN history"));
      assertThatThrownBy(schema::upgrade)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("have run, but column outbox_parked.history is missing. Change");
      schema.upgrade();
    }
  }

  /** A statement that finds one of its parts done does none of the others. */
  @Test
  void an_index_that_is_there_keeps_no_column_from_an_upgrade_on_mysql() throws SQLException {
    try (Sandbox sandbox = Database.MYSQL.sandbox()) {
      Schema schema = Schema.builder(sandbox.pool()).build();
      schema.create();
      run(sandbox, OF_VERSION_2);
      run(
          sandbox,
          List.of(
              "ALTER TABLE outbox_dead DROP KEY outbox_dead_holds, DROP COLUMN holds",
              "UPDATE outbox_meta SET schema_version = 1"));
      schema.upgrade();
      assertThat(schema.verify()).isEmpty();
    }
  }
}
