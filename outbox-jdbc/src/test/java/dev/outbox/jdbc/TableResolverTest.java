package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.RelayStatus;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.jdbc.internal.session.Faults;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Resolver;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Payloads out of the application's own tables, on every database. */
class TableResolverTest {
  private static final UUID SOME = UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057");

  /** What differs from database to database. */
  private record Types(String bytes, String longText, String json, String moment, String uuid) {
    static Types of(Database database) {
      return switch (database) {
        case POSTGRES -> new Types("bytea", "text", "jsonb", "timestamptz", "uuid");
        case MYSQL -> new Types("longblob", "longtext", "json", "datetime(3)", "binary(16)");
        case MARIADB -> new Types("longblob", "longtext", "longtext", "datetime(3)", "uuid");
        case H2 -> new Types("blob", "clob", "json", "timestamp with time zone", "uuid");
        case H2_FILE, H2_SERVER, H2_ORACLE, ORACLE ->
            throw new IllegalArgumentException("not run on " + database);
      };
    }
  }

  private static Sandbox sandbox(Database database) throws SQLException {
    Sandbox sandbox = database.sandbox();
    Types types = Types.of(database);
    execute(
        sandbox,
        "CREATE TABLE mail_deliveries (id bigint PRIMARY KEY, body %s, raw %s)"
            .formatted(types.longText(), types.bytes()),
        "CREATE TABLE users (id bigint PRIMARY KEY, password varchar(50))",
        "INSERT INTO users VALUES (1, 'secret')");
    return sandbox;
  }

  private static void execute(Sandbox sandbox, String... statements) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  private static void mail(Sandbox sandbox, long id, String body, byte[] raw) throws SQLException {
    try (Connection connection = sandbox.open();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO mail_deliveries VALUES (?, ?, ?)")) {
      insert.setLong(1, id);
      insert.setString(2, body);
      insert.setBytes(3, raw);
      insert.executeUpdate();
    }
  }

  private static Map<Reference, String> texts(Map<Reference, Payload> found) {
    Map<Reference, String> texts = new HashMap<>();
    found.forEach((reference, payload) -> texts.put(reference, payload.text()));
    return texts;
  }

  private static Reference mail(String id) {
    return new Reference("mail_deliveries", id);
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void one_column_is_written_as_it_is_and_what_is_missing_is_left_out(Database database)
      throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      mail(sandbox, 1, "Gr\u00fc\u00dfe \uD83D\uDE80", new byte[] {0, (byte) 200});
      mail(sandbox, 2, "", new byte[0]);
      mail(sandbox, 3, null, null);
      Set<Reference> asked =
          Set.of(mail("1"), mail("01"), mail("2"), mail("3"), mail("4"), mail("x' OR 1=1 --"));

      Resolver body =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();
      Map<Reference, Payload> found = body.resolve(asked, null);

      assertThat(texts(found))
          .isEqualTo(
              Map.of(
                  mail("1"),
                  "Gr\u00fc\u00dfe \uD83D\uDE80",
                  mail("01"),
                  "Gr\u00fc\u00dfe \uD83D\uDE80",
                  mail("2"),
                  ""));
      assertThat(found.get(mail("1")).contentType()).isEqualTo("text/plain; charset=utf-8");

      Resolver raw =
          TableResolver.builder(sandbox.pool())
              .column("mail_deliveries", "id", "raw", "application/pdf")
              .build();
      Payload bytes = raw.resolve(Set.of(mail("1")), null).get(mail("1"));

      assertThat(bytes.bytes()).isEqualTo(new byte[] {0, (byte) 200});
      assertThat(bytes.contentType()).isEqualTo("application/pdf");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void several_columns_are_a_json_object(Database database) throws Exception {
    Types types = Types.of(database);
    try (Sandbox sandbox = sandbox(database)) {
      String json = database == Database.H2 ? "JSON '{\"a\":1}'" : "'{\"a\":1}'";
      execute(
          sandbox,
          ("CREATE TABLE orders (id varchar(40) PRIMARY KEY, customer varchar(50), total decimal(10,2),"
                  + " pieces int, paid boolean, ratio double precision, placed %s, due_day date, extra %s)")
              .formatted(types.moment(), types.json()),
          "INSERT INTO orders VALUES ('A-1', 'say \"hi\"', 7.50, 3, true, 0.5, '2026-03-01 10:00:00', '2026-03-01', "
              + json
              + ")",
          "INSERT INTO orders (id) VALUES ('A-2')");
      Resolver resolver =
          TableResolver.builder(sandbox.pool())
              .object(
                  "orders",
                  "id",
                  "customer",
                  "total",
                  "pieces",
                  "paid",
                  "ratio",
                  "due_day",
                  "extra",
                  "placed")
              .build();
      Reference full = new Reference("orders", "A-1");
      Reference bare = new Reference("orders", "A-2");

      Map<Reference, Payload> found =
          resolver.resolve(Set.of(full, bare, new Reference("orders", "a-1")), null);

      assertThat(found.get(full).contentType()).isEqualTo("application/json");
      String extra = database == Database.MARIADB ? "\"{\\\"a\\\":1}\"" : "{\"a\":1}";
      assertThat(found.get(full).text().replace(": ", ":"))
          .matches(
              Pattern.quote(
                      "{\"customer\":\"say \\\"hi\\\"\",\"total\":7.50,\"pieces\":3,\"paid\":true,"
                          + "\"ratio\":0.5,\"due_day\":\"2026-03-01\",\"extra\":"
                          + extra)
                  + ",\"placed\":\"2026-0[23]-[0-9]{2}T[0-9]{2}:00(:00Z)?\"}");
      assertThat(found.get(bare).text())
          .isEqualTo(
              "{\"customer\":null,\"total\":null,\"pieces\":null,\"paid\":null,\"ratio\":null,\"due_day\":null,"
                  + "\"extra\":null,\"placed\":null}");
      assertThat(found).hasSize(2);
    }
  }

  /** JSON has no such number. */
  @Test
  void a_decimal_that_is_not_finite_is_text_as_a_floating_one_is() throws Exception {
    try (Sandbox sandbox = sandbox(Database.POSTGRES)) {
      execute(
          sandbox,
          "CREATE TABLE rates (id bigint PRIMARY KEY, rate numeric, ratio double precision)",
          "INSERT INTO rates VALUES (1, 'NaN', 'NaN'), (2, 0.10, 0.5), (3, NULL, NULL)");
      Resolver resolver =
          TableResolver.builder(sandbox.dataSource())
              .object("rates", "id", "rate", "ratio")
              .build();
      Reference strange = new Reference("rates", "1");
      Reference plain = new Reference("rates", "2");
      Reference none = new Reference("rates", "3");

      assertThat(texts(resolver.resolve(Set.of(strange, plain, none), null)))
          .containsEntry(strange, "{\"rate\":\"NaN\",\"ratio\":\"NaN\"}")
          .containsEntry(plain, "{\"rate\":0.10,\"ratio\":0.5}")
          .containsEntry(none, "{\"rate\":null,\"ratio\":null}");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void ids_are_numbers_texts_and_uuids(Database database) throws Exception {
    Types types = Types.of(database);
    try (Sandbox sandbox = sandbox(database)) {
      execute(
          sandbox,
          "CREATE TABLE by_uuid (id %s PRIMARY KEY, body varchar(50))".formatted(types.uuid()),
          "CREATE TABLE by_decimal (id decimal(20) PRIMARY KEY, body varchar(50))",
          "CREATE TABLE by_char (id char(40) PRIMARY KEY, body varchar(50))",
          "INSERT INTO by_decimal VALUES (12345678901234567890, 'decimal')",
          "INSERT INTO by_char VALUES ('short', 'char')");
      try (Connection connection = sandbox.open();
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO by_uuid VALUES (?, 'uuid')")) {
        if (database == Database.MYSQL) {
          insert.setBytes(1, new MessageId(SOME).toBytes());
        } else {
          insert.setObject(1, SOME);
        }
        insert.executeUpdate();
      }
      Resolver resolver =
          TableResolver.builder(sandbox.pool())
              .column("by_uuid", "id", "body")
              .column("by_decimal", "id", "body")
              .column("by_char", "id", "body")
              .build();
      Reference uuid = new Reference("by_uuid", SOME.toString());
      Reference decimal = new Reference("by_decimal", "12345678901234567890");
      Reference padded = new Reference("by_char", "short");

      Map<Reference, Payload> found =
          resolver.resolve(
              Set.of(
                  uuid,
                  decimal,
                  padded,
                  new Reference("by_uuid", "no uuid"),
                  new Reference("by_decimal", "1.5")),
              null);

      assertThat(texts(found)).isEqualTo(Map.of(uuid, "uuid", decimal, "decimal", padded, "char"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void ids_without_a_sign_go_beyond_those_of_java_and_by_the_index(Database database)
      throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      execute(
          sandbox,
          "CREATE TABLE large (id bigint unsigned PRIMARY KEY, body varchar(50))",
          "INSERT INTO large VALUES (1, 'small'), (9223372036854775808, 'large'), (18446744073709551615, 'last')",
          "CREATE TABLE medium (id int unsigned PRIMARY KEY, body varchar(50))",
          "INSERT INTO medium VALUES (4294967295, 'medium')");
      Resolver resolver =
          TableResolver.builder(sandbox.pool())
              .column("large", "id", "body")
              .object("medium", "id", "body", "id")
              .build();
      Reference small = new Reference("large", "1");
      Reference large = new Reference("large", "9223372036854775808");
      Reference last = new Reference("large", "18446744073709551615");
      Reference medium = new Reference("medium", "4294967295");

      Map<Reference, Payload> found =
          resolver.resolve(
              Set.of(
                  small,
                  large,
                  last,
                  medium,
                  new Reference("large", "18446744073709551616"),
                  new Reference("large", "-1")),
              null);

      assertThat(texts(found))
          .isEqualTo(
              Map.of(
                  small,
                  "small",
                  large,
                  "large",
                  last,
                  "last",
                  medium,
                  "{\"body\":\"medium\",\"id\":4294967295}"));
    }
  }

  /** Somebody alters the table, or the server cuts a statement short. */
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_lock_or_a_time_limit_on_the_table_is_no_fault_of_a_message(Database database)
      throws Exception {
    try (Sandbox sandbox = sandbox(database);
        Connection altering = sandbox.open();
        Statement lock = altering.createStatement()) {
      mail(sandbox, 1, "one", null);
      for (String limit : limits(database)) {
        AtomicBoolean isLocked = new AtomicBoolean();
        TableResolver resolver =
            TableResolver.builder(limited(sandbox, limit, isLocked))
                .column("mail_deliveries", "id", "body")
                .build();
        altering.setAutoCommit(false);
        lock.execute(
            database == Database.POSTGRES
                ? "LOCK TABLE mail_deliveries IN ACCESS EXCLUSIVE MODE"
                : "LOCK TABLES mail_deliveries WRITE");
        isLocked.set(true);

        assertThatThrownBy(() -> resolver.resolve(Set.of(mail("1")), null))
            .as(limit)
            .satisfies(
                thrown ->
                    assertThat(resolver.failure(new IllegalStateException(thrown)))
                        .as("%s", thrown)
                        .isInstanceOf(Ack.Unavailable.class));

        isLocked.set(false);
        altering.rollback();
        if (database != Database.POSTGRES) {
          lock.execute("UNLOCK TABLES");
        }
        assertThat(resolver.resolve(Set.of(mail("1")), null)).hasSize(1);
      }
    }
  }

  private static List<String> limits(Database database) {
    return database == Database.POSTGRES
        ? List.of("SET lock_timeout = 100", "SET statement_timeout = 100")
        : List.of("SET lock_wait_timeout = 1");
  }

  /** With so short a limit while the table is locked, that it ends nothing else. */
  private static DataSource limited(Sandbox sandbox, String limit, AtomicBoolean isLocked) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              Connection connection = sandbox.open();
              if (isLocked.get()) {
                try (Statement statement = connection.createStatement()) {
                  statement.execute(limit);
                }
              }
              return connection;
            });
  }

  @Test
  void every_database_has_codes_for_what_may_pass() throws Exception {
    try (Sandbox sandbox = sandbox(Database.H2)) {
      TableResolver resolver =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();

      assertThat(resolver.failure(new SQLException("cancelled", "57014", 57014)))
          .isInstanceOf(Ack.Unavailable.class);
      assertThat(resolver.failure(new SQLException("lock", "HYT00", 50200)))
          .isInstanceOf(Ack.Unavailable.class);
      assertThat(resolver.failure(new SQLException("no grant", "90096", 90096)))
          .isInstanceOf(Ack.Failed.class);
      assertThat(resolver.failure(new SQLException("no table", "42102", 42102)))
          .isInstanceOf(Ack.Failed.class);
    }
    for (int code : List.of(1013, 54, 30006)) {
      assertThat(
              Faults.behind(new SQLException("ORA-" + code, "72000", code), new OracleDialect())
                  .mayPass())
          .isTrue();
    }
  }

  @Test
  void a_pool_that_has_nothing_beside_the_relays_own_connection_stops_only_what_needs_it()
      throws Exception {
    try (Sandbox sandbox = sandbox(Database.H2)) {
      Schema.builder(sandbox.pool()).create();
      mail(sandbox, 1, "one", null);
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(sandbox.url());
      config.setUsername(sandbox.user());
      config.setPassword(sandbox.password());
      config.setMaximumPoolSize(1);
      config.setConnectionTimeout(250);
      InMemoryBroker broker = InMemoryBroker.create();
      try (HikariDataSource one = new HikariDataSource(config)) {
        JdbcStore store = JdbcStore.create(one);
        Resolver resolver =
            TableResolver.builder(one).column("mail_deliveries", "id", "body").build();
        enqueue(sandbox, Outbox.create(JdbcStore.create(sandbox.pool())), 1, 1);
        try (Relay relay = Relay.builder(store, broker.publisher().resolving(resolver)).start()) {
          while (relay.status().brokersDown().isEmpty()) {
            Thread.onSpinWait();
          }
          assertThat(relay.health()).isEqualTo(RelayStatus.Health.DEGRADED);
        }
        assertThat(count(sandbox, "outbox")).isEqualTo(1);
        assertThat(count(sandbox, "outbox_parked")).isZero();

        one.setMaximumPoolSize(2);
        try (Relay relay = Relay.builder(store, broker.publisher().resolving(resolver)).start()) {
          while (relay.status().counts().delivered() == 0) {
            Thread.onSpinWait();
          }
        }
        assertThat(broker.messages()).extracting(each -> each.text()).containsExactly("one");
      }
    }
  }

  @Test
  void names_what_is_null() throws Exception {
    try (Sandbox sandbox = sandbox(Database.H2)) {
      TableResolver.Builder builder = TableResolver.builder(sandbox.pool());

      assertThatThrownBy(() -> builder.column(null, "id", "body")).hasMessage("table");
      assertThatThrownBy(() -> builder.column("t", null, "body")).hasMessage("id");
      assertThatThrownBy(() -> builder.column("t", "id", null)).hasMessage("column");
      assertThatThrownBy(() -> builder.object("t", "id", (String[]) null)).hasMessage("columns");
      assertThatThrownBy(() -> builder.object("t", "id", "a", null)).hasMessage("column");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void more_than_fit_into_one_statement_are_all_found(Database database) throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      Set<Reference> asked = new HashSet<>();
      try (Connection connection = sandbox.open();
          PreparedStatement insert =
              connection.prepareStatement("INSERT INTO mail_deliveries (id, body) VALUES (?, ?)")) {
        for (int id = 1; id <= 1201; id++) {
          insert.setLong(1, id);
          insert.setString(2, "mail " + id);
          insert.addBatch();
          asked.add(mail(Integer.toString(id)));
        }
        insert.executeBatch();
      }
      Resolver resolver =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();
      Map<Reference, Payload> found = resolver.resolve(asked, null);

      assertThat(found).hasSize(1201);
      found.forEach(
          (reference, payload) -> assertThat(payload.text()).isEqualTo("mail " + reference.id()));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void what_is_not_allowed_or_not_there_is_refused(Database database) throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      TableResolver resolver =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();

      assertThat(resolver.knows("mail_deliveries")).isTrue();
      assertThat(resolver.knows("users")).isFalse();
      assertThatThrownBy(() -> resolver.resolve(Set.of(new Reference("users", "1")), null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("table users is not allowed; this resolver knows [mail_deliveries]");
      assertThatThrownBy(
              () ->
                  TableResolver.builder(sandbox.pool())
                      .column("no_such_table", "id", "body")
                      .build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("table no_such_table with the columns id and [body] cannot");
      assertThatThrownBy(
              () ->
                  TableResolver.builder(sandbox.pool())
                      .column("mail_deliveries", "id", "id")
                      .build())
          .hasMessageContaining("which cannot be written as bytes or text");
      assertThatThrownBy(
              () ->
                  TableResolver.builder(sandbox.pool())
                      .column("mail_deliveries", "raw", "body")
                      .build())
          .hasMessageContaining("an id is a number, a text, a UUID");
    }
  }

  /** H2 keeps names in upper case: as they were given, not even the schema is there. */
  @Test
  void a_misspelt_column_is_told_and_not_only_that_its_schema_is_written_otherwise()
      throws SQLException {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      execute(sandbox, "CREATE TABLE mails (id int PRIMARY KEY, body varchar(20))");
      assertThatThrownBy(
              () ->
                  TableResolver.builder(sandbox.dataSource())
                      .column("public.mails", "id", "bdy")
                      .build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Schema \"public\" not found")
          .hasMessageContaining("Column \"BDY\" not found");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_relay_by_lanes_publishes_rows_and_buries_what_is_missing(Database database)
      throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      Schema.builder(sandbox.pool()).create();
      JdbcStore store = JdbcStore.create(sandbox.pool());
      IntStream.rangeClosed(1, 20).forEach(id -> written(sandbox, id));
      enqueue(sandbox, Outbox.create(store), 1, 21);
      InMemoryBroker broker = InMemoryBroker.create();
      Resolver resolver =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();

      try (ManualRelay relay = ManualRelay.of(store, broker.publisher().resolving(resolver))) {
        relay.drainNow();
      }

      assertThat(broker.messages()).hasSize(20);
      assertThat(broker.messages())
          .allMatch(each -> each.text().equals("mail " + each.envelope().reference().id()));
      assertThat(store.deadLetters().page(Filter.all(), 0, 10))
          .extracting(letter -> letter.envelope().reference())
          .containsExactly(mail("21"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_transactional_worker_reads_in_its_claim_and_a_refused_read_undoes_nothing(
      Database database) throws Exception {
    try (Sandbox sandbox = sandbox(database)) {
      Schema.builder(sandbox.pool()).claiming(Claiming.ROWS).create();
      JdbcStore store = JdbcStore.create(sandbox.pool());
      execute(sandbox, "CREATE TABLE sent (body varchar(100) NOT NULL)");
      IntStream.rangeClosed(1, 5).forEach(id -> written(sandbox, id));
      enqueue(sandbox, Outbox.create(store), 1, 5);
      TableResolver tables =
          TableResolver.builder(sandbox.pool()).column("mail_deliveries", "id", "body").build();
      Resolver refusedOnce =
          (references, claim) -> {
            if (references.contains(mail("3"))) {
              try (Statement refused = claim.createStatement()) {
                refused.execute("INSERT INTO no_such_table VALUES (1)");
              }
            }
            return tables.resolve(references, claim);
          };
      Publisher writer =
          Publisher.transactional(
              (envelope, claim) -> {
                try (PreparedStatement insert =
                    claim.prepareStatement("INSERT INTO sent VALUES (?)")) {
                  insert.setString(1, envelope.payload().text());
                  insert.executeUpdate();
                }
              });

      try (ManualRelay relay = ManualRelay.of(store, writer.resolving(refusedOnce))) {
        relay.drainNow();
      }

      assertThat(count(sandbox, "sent")).isEqualTo(4);
      assertThat(count(sandbox, "outbox_parked")).isEqualTo(1);
      assertThat(count(sandbox, "outbox")).isZero();
    }
  }

  private static void written(Sandbox sandbox, int id) {
    try {
      mail(sandbox, id, "mail " + id, new byte[0]);
    } catch (SQLException e) {
      throw new IllegalStateException("mail " + id, e);
    }
  }

  private static void enqueue(Sandbox sandbox, Outbox outbox, int first, int last)
      throws SQLException {
    try (Connection connection = sandbox.open()) {
      connection.setAutoCommit(false);
      List<Message> messages =
          IntStream.rangeClosed(first, last)
              .mapToObj(id -> Message.to("mails").reference("mail_deliveries", id))
              .toList();
      outbox.enqueue(connection, messages);
      connection.commit();
    }
  }

  private static long count(Sandbox sandbox, String table) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
