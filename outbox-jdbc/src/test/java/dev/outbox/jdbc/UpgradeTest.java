package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Product;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Layout;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables of version 1, as a database may have them, and this library. */
@LooksAtWriters
final class UpgradeTest {
  private Sandbox sandbox;
  private Dialect dialect;

  private void open(Database database) throws SQLException {
    sandbox = database.sandbox();
    try (Connection connection = sandbox.open()) {
      dialect = Dialects.of(Product.of(connection.getMetaData()));
    }
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  static Ddl versionOne(Dialect dialect, String prefix) throws IOException {
    Tables tables = Tables.of(null, prefix, dialect.maxIdentifier());
    String name = "version-1/" + dialect.name() + ".sql";
    try (InputStream text = UpgradeTest.class.getResourceAsStream(name)) {
      String ddl =
          new String(Objects.requireNonNull(text, name).readAllBytes(), StandardCharsets.UTF_8);
      return new Ddl(dialect, tables, tables.renderDdl(ddl));
    }
  }

  private void createVersionOne() throws IOException {
    versionOne(dialect, "outbox").apply(sandbox.pool());
  }

  private Schema schema() {
    return Schema.builder(sandbox.pool()).build();
  }

  private void run(String sql, Object... values) throws SQLException {
    try (Connection connection = sandbox.open();
        PreparedStatement statement =
            connection.prepareStatement(sql.replace("{now}", dialect.clock()))) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private Object freshId() {
    return dialect.bind(new MessageId(UUID.randomUUID()));
  }

  /** As a writer of version 1 does. */
  private void writeAsVersionOne(String text) throws SQLException {
    run(
        "INSERT INTO outbox"
            + " (lane, message_id, topic, msg_key, headers, content_type, payload, not_after)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
        0,
        freshId(),
        "t",
        "k",
        "{\"tenant\":\"acme\"}",
        "text/plain",
        bytes(text));
  }

  private void fill() throws SQLException {
    run(
        "INSERT INTO outbox_parked (lane, id, message_id, topic, msg_key, content_type, payload,"
            + " origin, created_at, reason, attempts, first_failed_at, due_at, last_error, history)"
            + " VALUES (0, -2, ?, 't', 'k', 'text/plain', ?, 0, {now}, 'FAILED', 1, {now}, {now},"
            + " 'e', 'h')",
        freshId(),
        bytes("1"));
    run(
        "INSERT INTO outbox_parked (lane, id, message_id, topic, msg_key, content_type, payload,"
            + " origin, created_at, reason, attempts)"
            + " VALUES (0, -1, ?, 't', 'k', 'text/plain', ?, 0, {now}, 'FOLLOWER', 0)",
        freshId(),
        bytes("2"));
    run("INSERT INTO outbox (lane, topic, msg_key, payload) VALUES (0, 't', 'k', ?)", bytes("3"));
    run(
        "INSERT INTO outbox_delayed (lane, topic, payload, due_at) VALUES (0, 'later', ?, {now})",
        bytes("4"));
    run(
        "INSERT INTO outbox_dead (lane, id, message_id, topic, msg_key, content_type, payload,"
            + " origin, created_at, reason, attempts, last_error, history, died_at)"
            + " VALUES (0, 0, ?, 'died', 'k', 'text/plain', ?, 0, {now}, 'REJECTED', 3, 'e', 'h',"
            + " {now})",
        freshId(),
        bytes("5"));
    run("INSERT INTO outbox_topic (topic, paused) VALUES ('quiet', 1)");
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_stood_in_the_tables_is_published_after_the_upgrade(Database database) throws Exception {
    open(database);
    createVersionOne();
    fill();
    writeAsVersionOne("before");
    schema().upgrade();
    writeAsVersionOne("after");
    assertThat(schema().verify()).isEmpty();

    JdbcStore store = JdbcStore.create(sandbox.pool());
    assertThat(store.layout()).isEqualTo(new Layout(3, 32, Claiming.LANES));
    assertThat(store.topics().all().get("quiet").paused()).isTrue();
    DeadLetter dead = store.deadLetters().page(Filter.all().topic("died"), 0, 10).get(0);
    assertThat(dead.holdsKey()).isFalse();
    assertThat(store.deadLetters().replay(List.of(dead.id()))).isEqualTo(1);
    InMemoryBroker broker = InMemoryBroker.create();
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    assertThat(broker.texts("t", "k")).containsExactly("1", "2", "3", "before", "after");
    assertThat(broker.messages("later")).hasSize(1);
    assertThat(broker.texts("died", "k")).containsExactly("5");
    assertThat(store.registry().live()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void upgraded_tables_are_those_that_are_made_again(Database database) throws Exception {
    open(database);
    createVersionOne();
    schema().upgrade();
    schema().upgrade();
    schema().create();
    Schema.builder(sandbox.pool()).tablePrefix("anew").create();
    try (Connection connection = sandbox.open()) {
      Set<String> fresh = Catalogue.of(connection, "anew");
      assertThat(fresh).hasSizeGreaterThan(80);
      assertThat(Catalogue.of(connection, "outbox")).isEqualTo(fresh);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void an_upgrade_that_broke_off_anywhere_is_finished_by_the_next(Database database)
      throws Exception {
    open(database);
    Schema.builder(sandbox.pool()).tablePrefix("anew").create();
    Tables any = Tables.of(null, "any", dialect.maxIdentifier());
    int steps = upgrade(any).size();
    assertThat(steps).isGreaterThan(6);
    for (int run = 1; run < steps; run++) {
      String prefix = "broke" + run;
      versionOne(dialect, prefix).apply(sandbox.pool());
      Tables tables = Tables.of(null, prefix, dialect.maxIdentifier());
      for (String sql : upgrade(tables).subList(0, run)) {
        run(sql);
      }
      Schema.builder(sandbox.pool()).tablePrefix(prefix).build().upgrade();
      try (Connection connection = sandbox.open()) {
        assertThat(Catalogue.of(connection, prefix))
            .as("after %d statements", run)
            .isEqualTo(Catalogue.of(connection, "anew"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_is_shown_beforehand_is_what_an_upgrade_runs(Database database) throws Exception {
    open(database);
    assertThat(schema().upgradeDdl()).as("where nothing is").isEmpty();
    createVersionOne();
    String shown = schema().upgradeDdl();
    Tables tables = Tables.of(null, "outbox", dialect.maxIdentifier());
    Ddl ddl = new Ddl(dialect, tables, shown);
    assertThat(ddl.statements()).isEqualTo(upgrade(tables));
    ddl.apply(sandbox.pool());
    assertThat(schema().verify()).isEmpty();
    assertThat(schema().upgradeDdl()).as("afterwards").isEmpty();
  }

  private List<String> upgrade(Tables tables) {
    return Stream.of(2, 3)
        .flatMap(step -> Ddl.upgrade(dialect, tables, step).statements().stream())
        .toList();
  }

  /** A CREATE INDEX CONCURRENTLY that failed leaves an index that IF NOT EXISTS passes over. */
  @Test
  void an_index_that_is_not_valid_is_built_again() throws Exception {
    open(Database.POSTGRES);
    createVersionOne();
    run("DROP INDEX outbox_parked_heads");
    run("CREATE INDEX outbox_parked_heads ON outbox_parked (lane, due_at, reason, id, topic)");
    run("CREATE INDEX outbox_dead_topics ON outbox_dead (topic, dead_id)");
    run("CREATE INDEX outbox_dead_keys ON outbox_dead (topic, msg_key, dead_id)");
    run(
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid IN"
            + " ('outbox_parked_heads'::regclass, 'outbox_dead_topics'::regclass)");
    schema().upgrade();
    assertThat(schema().verify()).isEmpty();
    try (Connection connection = sandbox.open();
        var invalid =
            connection
                .createStatement()
                .executeQuery("SELECT COUNT(*) FROM pg_index WHERE NOT indisvalid")) {
      invalid.next();
      assertThat(invalid.getInt(1)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "H2"})
  void tables_in_a_schema_are_upgraded_where_they_are(Database database) throws Exception {
    open(database);
    String app = sandbox.name() + "_app";
    run("CREATE SCHEMA " + app);
    try {
      Tables tables = Tables.of(app, "mail", dialect.maxIdentifier());
      String ddl = versionOne(dialect, "outbox").text();
      new Ddl(dialect, tables, tables.renderDdl(ddl)).apply(sandbox.pool());
      Schema schema = Schema.builder(sandbox.pool()).schema(app).tablePrefix("mail").build();
      schema.upgrade();
      assertThat(schema.verify()).isEmpty();
    } finally {
      run("DROP SCHEMA " + app + " CASCADE");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void this_library_is_refused_on_tables_of_version_1_and_told_what_to_do(Database database)
      throws Exception {
    open(database);
    createVersionOne();
    String file = "dev/outbox/jdbc/ddl/" + dialect.name() + "/upgrade-2.sql";
    assertThatThrownBy(() -> JdbcStore.create(sandbox.pool()))
        .isInstanceOf(StoreException.class)
        .matches(e -> !((StoreException) e).isTransient())
        .hasMessageContaining("version 1")
        .hasMessageContaining("Schema.builder(dataSource).build().upgrade()")
        .hasMessageContaining(file);
    assertThatThrownBy(() -> schema().create())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("upgrade()");
    assertThat(schema().verify()).anyMatch(finding -> finding.contains("outbox_dead.holds"));
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void tables_of_a_later_version_are_left_alone(Database database) throws Exception {
    open(database);
    schema().create();
    run("UPDATE outbox_meta SET schema_version = 4");
    assertThatThrownBy(() -> JdbcStore.create(sandbox.pool()))
        .hasMessageContaining("version 4")
        .hasMessageContaining("Deploy the library of that version");
    assertThatThrownBy(() -> schema().upgrade())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Deploy the library of that version");
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void nothing_is_upgraded_under_a_live_relay_or_where_nothing_is(Database database)
      throws Exception {
    open(database);
    assertThatThrownBy(() -> schema().upgrade())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("create()");
    createVersionOne();
    run(
        "INSERT INTO outbox_relay (relay, live_until, started_at)"
            + " VALUES ('old one', {now} + INTERVAL '60' SECOND, {now})");
    assertThatThrownBy(() -> schema().upgrade())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("old one");
    run("UPDATE outbox_relay SET live_until = {now} - INTERVAL '1' SECOND");
    schema().upgrade();
    assertThat(schema().verify()).isEmpty();
  }

  /** Else the server goes on with what nobody waits for, and the same begins beside it. */
  @Test
  void a_statement_may_take_longer_than_the_driver_waits_for_an_answer() throws Exception {
    open(Database.POSTGRES);
    createVersionOne();
    HikariConfig impatient = new HikariConfig();
    impatient.setJdbcUrl(sandbox.url() + "?socketTimeout=1");
    impatient.setUsername(sandbox.user());
    impatient.setPassword(sandbox.password());
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (HikariDataSource pool = new HikariDataSource(impatient);
        Connection locked = sandbox.open()) {
      locked.setAutoCommit(false);
      locked.createStatement().execute("LOCK TABLE outbox_dead");
      Future<?> upgraded = other.submit(() -> Schema.builder(pool).build().upgrade());
      while (waiting("> interval '1.5 s'") == 0) {
        Thread.onSpinWait();
      }
      assertThat(waiting("IS NOT NULL")).isEqualTo(1);
      locked.rollback();
      upgraded.get();
      assertThat(schema().verify()).isEmpty();
    } finally {
      other.shutdown();
    }
  }

  /** How many sessions have waited for a lock so long. */
  private int waiting(String soLong) throws SQLException {
    try (Connection connection = sandbox.open();
        var rows =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                        + " AND datname = current_database() AND now() - query_start "
                        + soLong)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
