package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.OutboxException.Finding.Severity;
import dev.outbox.StoreException;
import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Usage.Role;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the doctor must find on every database: each illness is brought about for real. */
abstract class DoctorCases {
  private final Database database;
  Clinic clinic;

  DoctorCases(Database database) {
    this.database = database;
  }

  /** Part of a statement that one check asks, and of what the check is called. */
  abstract Question question();

  record Question(String sql, String what) {}

  Sandbox sandbox(Database database) {
    return database.sandbox();
  }

  @BeforeEach
  void open() {
    clinic = new Clinic(sandbox(database), Clusters.ONE);
  }

  @AfterEach
  void close() throws SQLException {
    clinic.close();
  }

  static void assertFound(List<Finding> findings, String code, Severity severity, String... parts) {
    assertThat(findings)
        .as("findings")
        .anySatisfy(
            finding -> {
              assertThat(finding.code()).isEqualTo(code);
              assertThat(finding.severity()).isEqualTo(severity);
              assertThat(finding.text()).contains(parts);
            });
  }

  static void assertFailure(List<Finding> findings, String code, String... parts) {
    assertFound(findings, code, Severity.FAILURE, parts);
  }

  static void assertWarning(List<Finding> findings, String code, String... parts) {
    assertFound(findings, code, Severity.WARNING, parts);
  }

  static void assertOnly(List<Finding> findings, String code) {
    assertThat(findings).extracting(Finding::code).containsOnly(code);
  }

  @ParameterizedTest
  @EnumSource(value = Role.class, mode = EnumSource.Mode.EXCLUDE, names = "CAPTURE")
  void a_healthy_set_up_has_no_finding(Role role) {
    assertThat(clinic.examine(clinic.pool(), Clinic.need(role))).isEmpty();
  }

  @Test
  void a_healthy_set_up_for_row_claims_has_no_finding() throws SQLException {
    clinic.run(
        "UPDATE outbox_meta SET lanes = 1, claiming = 'ROWS'",
        "DELETE FROM outbox_lane WHERE lane > 0");
    Usage usage = Clinic.need(Role.RELAY, Claiming.ROWS);

    assertThat(
            Clinic.examine(
                clinic.pool(), usage, new Layout(3, 1, Claiming.ROWS), InstantSource.system()))
        .isEmpty();
  }

  @Test
  void ids_that_went_back_are_a_warning_and_its_statements_raise_them() throws SQLException {
    clinic.run("UPDATE outbox_lane SET floor = 500, epoch = 7 WHERE lane = 3");
    assertOnly(clinic.examine(), "ids-behind");
    assertWarning(
        clinic.examine(),
        "ids-behind",
        "the next id of outbox is 1, but 500 was given before",
        "raiseIds()");
    assertThat(clinic.examine(clinic.pool(), Clinic.need(Role.WRITER))).isEmpty();

    String text = clinic.examine().get(0).text();
    String statements = text.substring(text.indexOf("of the tables: ") + 15);
    clinic.run(statements.replaceFirst(";$", "").split("; "));
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void raising_the_ids_runs_what_the_doctor_says() throws SQLException {
    clinic.run("UPDATE outbox_lane SET floor = 500, epoch = 7 WHERE lane = 3");
    Schema schema = Schema.builder(clinic.pool()).build();
    assertThat(schema.raiseIds()).hasSize(2);
    assertThat(clinic.examine()).isEmpty();
    assertThat(schema.raiseIds()).as("the epochs only").hasSize(1);
  }

  @Test
  void a_pool_without_autocommit_is_fine_and_gets_its_connections_back_as_they_were()
      throws SQLException {
    List<Connection> lent = new ArrayList<>();
    DataSource withoutAutoCommit =
        new TamperedDataSource(
            clinic.pool(),
            (connection, method, arguments) -> {
              if (method.getName().equals("close")) {
                lent.add(connection);
                assertThat(connection.getAutoCommit()).isFalse();
              }
              return TamperedDataSource.passed(connection, method, arguments);
            },
            connection -> connection.setAutoCommit(false));

    assertThat(clinic.examine(withoutAutoCommit)).isEmpty();
    assertThat(lent).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void a_pool_that_is_too_small_is_reported_with_both_numbers_and_loses_nothing()
      throws SQLException {
    DataSource pool = clinic.sandbox().pool(3);
    Usage usage = new Usage(Role.RELAY, Claiming.LANES, 5, Duration.ofSeconds(15));
    Instant begin = Instant.now();

    List<Finding> findings = clinic.examine(pool, usage);

    assertThat(Duration.between(begin, Instant.now())).isLessThan(Duration.ofSeconds(20));
    assertOnly(findings, "pool-too-small");
    assertFailure(
        findings, "pool-too-small", "needs 5 connections", "lent 3", "maximum of the pool by 2");
    assertAllCanBeBorrowed(pool, 3);
  }

  /** As by the lazy connections of Spring, which an application may have around its pool. */
  @Test
  void a_pool_that_is_too_small_is_reported_behind_connections_that_come_at_their_first_use()
      throws SQLException {
    DataSource pool = clinic.sandbox().pool(3);
    Usage usage = new Usage(Role.RELAY, Claiming.LANES, 5, Duration.ofSeconds(15));

    List<Finding> findings = clinic.examine(TamperedDataSource.lazy(pool), usage);

    assertOnly(findings, "pool-too-small");
    assertFailure(findings, "pool-too-small", "needs 5 connections", "lent 3");
    assertAllCanBeBorrowed(pool, 3);
  }

  private static void assertAllCanBeBorrowed(DataSource pool, int size) throws SQLException {
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      all.add(pool.getConnection());
    }
    for (Connection connection : all) {
      connection.close();
    }
  }

  @Test
  void no_connection_at_all_may_pass() {
    DataSource refusing =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  throw new SQLException("connection refused", "08001");
                });

    assertThatThrownBy(() -> clinic.examine(refusing))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.isTransient()).isTrue())
        .hasMessageContaining("connection refused");
  }

  @Test
  void a_connection_that_breaks_under_the_doctor_may_pass() {
    DataSource breaking =
        TamperedDataSource.refusing(
            clinic.pool(), "getTransactionIsolation", new SQLException("cut", "08006"));

    assertThatThrownBy(() -> clinic.examine(breaking))
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.isTransient()).isTrue());
  }

  @Test
  void connections_that_share_sessions_are_reported() throws SQLException {
    try (Connection one = clinic.sandbox().open();
        Connection two = clinic.sandbox().open()) {
      assertFailure(
          clinic.examine(TamperedDataSource.switching(one, two)),
          "sessions-shared",
          "pool_mode = session");
    }
  }

  @Test
  void forced_autocommit_is_reported() {
    assertFailure(
        clinic.examine(TamperedDataSource.ignoring(clinic.pool(), "setAutoCommit")),
        "autocommit-forced",
        "setAutoCommit(false)");
  }

  @Test
  void a_forced_isolation_level_is_reported() throws SQLException {
    DataSource serializable =
        new TamperedDataSource(
            clinic.pool(),
            (connection, method, arguments) -> {
              if (method.getName().equals("setTransactionIsolation")) {
                arguments[0] = Connection.TRANSACTION_SERIALIZABLE;
              }
              return TamperedDataSource.passed(connection, method, arguments);
            });

    assertFailure(clinic.examine(serializable), "isolation-forced", "level 8", "(2)");
  }

  @Test
  void a_driver_without_network_timeout_is_reported_but_for_an_embedded_database() {
    List<Finding> findings =
        clinic.examine(
            TamperedDataSource.refusing(
                clinic.pool(),
                "setNetworkTimeout",
                new SQLFeatureNotSupportedException("not here")));

    if (database == Database.H2) {
      assertThat(findings).isEmpty();
    } else {
      assertWarning(findings, "network-timeout-missing", "setNetworkTimeout");
    }
  }

  @Test
  void an_unsupported_version_is_reported() {
    DataSource old =
        new TamperedDataSource(
            clinic.pool(),
            (connection, method, arguments) ->
                method.getName().equals("getMetaData")
                    ? metadata(connection)
                    : TamperedDataSource.passed(connection, method, arguments));

    assertFailure(clinic.examine(old), "product-unsupported", "too old", "supported is");
  }

  private static Object metadata(Connection connection) throws SQLException {
    var real = connection.getMetaData();
    return Proxy.newProxyInstance(
        Connection.class.getClassLoader(),
        new Class<?>[] {DatabaseMetaData.class},
        (proxy, method, arguments) ->
            method.getName().equals("getDatabaseProductVersion")
                ? "1.0.0"
                : TamperedDataSource.passed(real, method, arguments));
  }

  @Test
  void a_missing_table_is_told_to_every_role_that_uses_it() throws SQLException {
    clinic.run("DROP TABLE outbox_relay");

    assertFailure(
        clinic.examine(), "tables-wrong", "outbox_relay", "Schema.builder(dataSource).create()");
    assertFailure(
        clinic.examine(clinic.pool(), Clinic.need(Role.OPERATOR)), "tables-wrong", "outbox_relay");
    assertThat(clinic.examine(clinic.pool(), Clinic.need(Role.WRITER))).isEmpty();
  }

  @Test
  void a_missing_column_is_reported() throws SQLException {
    clinic.run("ALTER TABLE outbox_topic DROP COLUMN rate_limit");

    assertOnly(clinic.examine(), "tables-wrong");
    assertFailure(
        clinic.examine(),
        "tables-wrong",
        "outbox_topic.rate_limit is missing",
        "create() does not change a table that exists");
  }

  @Test
  void a_missing_index_is_reported() throws SQLException {
    clinic.run(
        makesIndexesInTables()
            ? "ALTER TABLE outbox_parked DROP INDEX outbox_parked_keys"
            : "DROP INDEX outbox_parked_keys");

    assertOnly(clinic.examine(), "tables-wrong");
    assertFailure(clinic.examine(), "tables-wrong", "outbox_parked has no index on");
    if (makesIndexesInTables()) {
      runStatementOf(clinic.examine());
    } else {
      assertFailure(clinic.examine(), "tables-wrong", "Schema.builder(dataSource).create()");
      Schema.builder(clinic.pool()).create();
    }
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void a_missing_primary_key_is_reported() throws SQLException {
    clinic.run(
        "ALTER TABLE outbox_parked DROP "
            + (makesIndexesInTables() ? "PRIMARY KEY" : "CONSTRAINT outbox_parked_pk"));

    assertOnly(clinic.examine(), "tables-wrong");
    assertFailure(
        clinic.examine(), "tables-wrong", "outbox_parked has no index on (lane, id, cluster_id)");
    runStatementOf(clinic.examine());
    assertThat(clinic.examine()).isEmpty();
  }

  private boolean makesIndexesInTables() {
    return database == Database.MYSQL || database == Database.MARIADB;
  }

  private void runStatementOf(List<Finding> findings) throws SQLException {
    String text = findings.get(0).text();
    assertThat(text).contains("ALTER TABLE").doesNotContain("create()");
    clinic.run(text.substring(text.indexOf("ALTER TABLE")));
  }

  @Test
  void another_schema_version_is_reported() throws SQLException {
    clinic.run("UPDATE outbox_meta SET schema_version = 7");

    assertOnly(clinic.examine(), "schema-version");
    assertFailure(clinic.examine(), "schema-version", "version 7", "works with 3");
  }

  @Test
  void a_layout_changed_under_a_running_process_is_reported() throws SQLException {
    clinic.run("UPDATE outbox_meta SET lanes = 16");

    assertFailure(clinic.examine(), "layout-changed", "16 lanes", "32 lanes");
  }

  @Test
  void a_way_of_claiming_changed_under_a_running_process_is_reported() throws SQLException {
    clinic.run("UPDATE outbox_meta SET lanes = 1, claiming = 'ROWS'");

    assertFailure(clinic.examine(), "layout-changed", "by ROWS", "by LANES");
  }

  @Test
  void an_empty_meta_table_is_reported() throws SQLException {
    clinic.run("DELETE FROM outbox_meta");

    assertFailure(clinic.examine(), "layout-changed", "empty");
  }

  @Test
  void missing_and_surplus_lanes_are_reported() throws SQLException {
    clinic.run(
        "DELETE FROM outbox_lane WHERE lane = 3", "INSERT INTO outbox_lane (lane) VALUES (40)");

    assertOnly(clinic.examine(), "lanes-wrong");
    assertFailure(clinic.examine(), "lanes-wrong", "32 rows, 31 of them", "lane >= 32");
  }

  @Test
  void messages_in_lanes_that_nobody_reads_are_reported() throws SQLException {
    clinic.run("INSERT INTO outbox (lane, topic) VALUES (32, 'lost')");

    assertOnly(clinic.examine(), "lane-unknown");
    assertFailure(clinic.examine(), "lane-unknown", "lanes 32 to 32", "0 to 31");
  }

  @Test
  void a_clock_that_is_off_is_reported_in_both_directions() {
    Usage usage = Clinic.need(Role.RELAY);

    assertWarning(
        Clinic.examine(clinic.pool(), usage, Clinic.LANES, () -> Instant.now().minusSeconds(5)),
        "clock-offset",
        "ahead");
    assertWarning(
        Clinic.examine(clinic.pool(), usage, Clinic.LANES, () -> Instant.now().plusSeconds(5)),
        "clock-offset",
        "behind");
  }

  @Test
  void what_may_not_be_looked_at_is_a_warning_by_itself() {
    List<Finding> findings =
        clinic.examine(
            TamperedDataSource.rewriting(
                clinic.pool(), question().sql(), "SELECT refused FROM nowhere"));

    assertOnly(findings, "cannot-check");
    assertWarning(findings, "cannot-check", question().what());
  }

  @Test
  void a_connection_that_only_reads_is_reported() {
    DataSource closed =
        new TamperedDataSource(
            clinic.pool(),
            (connection, method, arguments) ->
                method.getName().equals("isReadOnly")
                    ? (Object) true
                    : TamperedDataSource.passed(connection, method, arguments));

    assertFailure(clinic.examine(closed), "read-only", "primary");
  }

  @Test
  void the_doctor_changes_nothing() throws SQLException {
    clinic.run("INSERT INTO outbox (lane, topic) VALUES (1, 'kept')");
    clinic.examine();
    try (Connection connection = clinic.sandbox().open();
        var rows = connection.createStatement().executeQuery("SELECT COUNT(*) FROM outbox")) {
      rows.next();
      assertThat(rows.getInt(1)).isEqualTo(1);
    }
  }
}
