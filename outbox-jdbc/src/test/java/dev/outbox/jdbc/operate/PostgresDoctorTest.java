package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.jdbc.internal.doctor.Examination;
import dev.outbox.servers.Database;
import dev.outbox.spi.Layout;
import dev.outbox.spi.Usage.Role;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresDoctorTest extends DoctorCases {
  private final List<HikariDataSource> pools = new ArrayList<>();

  @AfterEach
  void closePools() {
    pools.forEach(HikariDataSource::close);
  }

  PostgresDoctorTest() {
    super(Database.POSTGRES);
  }

  @Override
  Question question() {
    return new Question("pg_sequence", "the sequences of the ids");
  }

  /** The first version that has the setting in question. */
  private void assumeVersion(int first) throws SQLException {
    try (Connection connection = clinic.dataSource().getConnection()) {
      assumeThat(connection.getMetaData().getDatabaseMajorVersion()).isGreaterThanOrEqualTo(first);
    }
  }

  @Test
  void a_session_lent_inside_a_transaction_is_reported() {
    assertFailure(
        clinic.examine(TamperedDataSource.greeting(clinic.dataSource(), "BEGIN")),
        "lent-in-transaction",
        "init SQL");
  }

  @Test
  void a_read_only_role_is_reported() {
    DataSource closed =
        TamperedDataSource.greeting(clinic.dataSource(), "SET default_transaction_read_only = on");

    assertFailure(clinic.examine(closed), "read-only", "primary");
  }

  @Test
  void a_cached_sequence_is_reported() throws SQLException {
    clinic.run("ALTER SEQUENCE outbox_id_seq CACHE 50");

    assertOnly(clinic.examine(), "ids-out-of-order");
    assertFailure(
        clinic.examine(),
        "ids-out-of-order",
        "CACHE 50",
        "ALTER SEQUENCE outbox_id_seq INCREMENT 1");
    clinic.run("ALTER SEQUENCE outbox_id_seq INCREMENT 1 CACHE 1 NO CYCLE;");
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void row_security_that_hides_messages_is_reported() throws SQLException {
    clinic.run("ALTER TABLE outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY");
    String user = clinic.sandbox().name() + "_r";
    clinic.run(
        "CREATE ROLE " + user + " LOGIN PASSWORD '" + user + "'",
        "GRANT ALL ON ALL TABLES IN SCHEMA public TO " + user,
        "GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO " + user);
    clinic.afterwards("DROP ROLE " + user);

    assertOnly(clinic.examine(clinic.dataSource(user)), "rows-hidden");
    assertFailure(clinic.examine(clinic.dataSource(user)), "rows-hidden", "BYPASSRLS");
  }

  @Test
  void an_unlogged_table_is_reported() throws SQLException {
    clinic.run("ALTER TABLE outbox SET UNLOGGED");

    assertOnly(clinic.examine(), "tables-unlogged");
    assertFailure(clinic.examine(), "tables-unlogged", "ALTER TABLE outbox SET LOGGED;");
    clinic.run("ALTER TABLE outbox SET LOGGED;");
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void commits_that_do_not_wait_for_the_log_are_reported() throws SQLException {
    String name = clinic.sandbox().name();
    clinic.run("ALTER DATABASE " + name + " SET synchronous_commit = off");
    String remedy =
        "ALTER ROLE %s IN DATABASE %s SET synchronous_commit = on;"
            .formatted(clinic.sandbox().user(), name);

    assertOnly(clinic.examine(clinic.dataSource()), "commits-not-durable");
    assertWarning(clinic.examine(clinic.dataSource()), "commits-not-durable", "is off", remedy);
    clinic.run(remedy);
    assertThat(clinic.examine(clinic.dataSource())).isEmpty();
  }

  @Test
  void times_without_microseconds_are_reported() throws SQLException {
    clinic.run("ALTER TABLE outbox_lane ALTER COLUMN lease_until TYPE timestamptz(0)");

    assertFailure(clinic.examine(), "time-precision", "timestamp(0) with time zone");
    clinic.run("ALTER TABLE outbox_lane ALTER COLUMN lease_until TYPE timestamptz(6);");
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void a_collation_that_joins_keys_is_reported() throws SQLException {
    clinic.run(
        "CREATE COLLATION lax (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
        "ALTER TABLE outbox_parked ALTER COLUMN msg_key TYPE varchar(255) COLLATE lax");

    assertOnly(clinic.examine(), "collation-not-binary");
    assertFailure(clinic.examine(), "collation-not-binary", "outbox_parked.msg_key", "lax");
  }

  @Test
  void an_encoding_that_is_not_utf8_is_reported() throws SQLException {
    String name = clinic.sandbox().name() + "_latin";
    clinic.runAsAdmin(
        "CREATE DATABASE " + name + " TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
    clinic.afterwards("DROP DATABASE " + name + " WITH (FORCE)");
    DataSource latin =
        Clinic.dataSource(clinic.url().replace(clinic.sandbox().name(), name), clinic.sandbox());
    Schema.builder(latin).create();

    assertOnly(clinic.examine(latin), "encoding-not-utf8");
    assertFailure(clinic.examine(latin), "encoding-not-utf8", "LATIN1");
  }

  @Test
  void a_role_whose_transactions_end_too_early_is_reported() throws SQLException {
    assumeVersion(17);
    reportsTimeout("transaction_timeout");
  }

  @Test
  void a_role_whose_idle_sessions_end_too_early_is_reported() throws SQLException {
    assumeVersion(14);
    reportsTimeout("idle_session_timeout");
  }

  private void reportsTimeout(String setting) {
    DataSource hasty =
        TamperedDataSource.greeting(clinic.dataSource(), "SET " + setting + " = '2s'");

    assertOnly(clinic.examine(hasty), "timeout-short");
    assertWarning(clinic.examine(hasty), "timeout-short", setting + " is 2000 ms");
    assertThat(clinic.examine(hasty, Clinic.need(Role.WRITER))).isEmpty();
  }

  @Test
  void limits_that_do_not_stay_are_reported() {
    DataSource forgetful =
        TamperedDataSource.rewriting(
            clinic.dataSource(), "set_config('lock_timeout'", "SELECT ?, ?, ?");

    assertOnly(clinic.examine(forgetful), "limits-forced");
    assertFailure(clinic.examine(forgetful), "limits-forced", "PT15S", "lock_wait is 0");
  }

  @Test
  void limits_of_a_role_are_overridden_and_restored() throws SQLException {
    DataSource strict =
        TamperedDataSource.greeting(
            clinic.dataSource(),
            "SET statement_timeout = '3s'; SET lock_timeout = '1s';"
                + " SET idle_in_transaction_session_timeout = '1h'");

    assertThat(clinic.examine(strict)).isEmpty();
  }

  @Test
  void row_claims_see_any_transaction_timeout() throws SQLException {
    assumeVersion(17);
    clinic.run(
        "UPDATE outbox_meta SET lanes = 1, claiming = 'ROWS'",
        "DELETE FROM outbox_lane WHERE lane > 0");
    DataSource slow =
        TamperedDataSource.greeting(clinic.dataSource(), "SET transaction_timeout = '1h'");

    assertWarning(
        Clinic.examine(
            slow,
            Clinic.need(Role.RELAY, Claiming.ROWS),
            new Layout(3, 1, Claiming.ROWS),
            InstantSource.system()),
        "timeout-short",
        "3600000 ms");
  }

  @Test
  void partitions_are_reported_where_rows_are_claimed() throws SQLException {
    clinic.run(
        "ALTER TABLE outbox_parked RENAME TO whole",
        "CREATE TABLE outbox_parked (LIKE whole INCLUDING ALL) PARTITION BY HASH (id)",
        "CREATE TABLE part PARTITION OF outbox_parked FOR VALUES WITH (MODULUS 1, REMAINDER 0)");
    assertThat(clinic.examine()).as("of lanes").isEmpty();
    clinic.run(
        "UPDATE outbox_meta SET lanes = 1, claiming = 'ROWS'",
        "DELETE FROM outbox_lane WHERE lane > 0");

    List<Finding> findings =
        Clinic.examine(
            clinic.pool(),
            Clinic.need(Role.RELAY, Claiming.ROWS),
            new Layout(3, 1, Claiming.ROWS),
            InstantSource.system());

    assertOnly(findings, "tables-wrong");
    assertFailure(findings, "tables-wrong", "outbox_parked has partitions", "claim by lanes");
  }

  @Test
  void a_driver_whose_login_never_ends_is_reported_with_what_to_add() {
    String url = clinic.sandbox().url();
    DataSource endless = Clinic.dataSource(url, clinic.sandbox());
    String parameters = "connectTimeout=5&loginTimeout=10&socketTimeout=60&tcpKeepAlive=true";

    assertOnly(clinic.examine(endless), "driver-without-timeouts");
    assertWarning(clinic.examine(endless), "driver-without-timeouts", parameters);
    assertThat(clinic.examine(endless, Clinic.need(Role.WRITER))).isEmpty();
    assertThat(clinic.examine(Clinic.dataSource(url + "?" + parameters, clinic.sandbox())))
        .isEmpty();
  }

  @Test
  void a_login_timeout_is_seen_in_the_url_and_in_a_pool() {
    String url = clinic.sandbox().url();

    assertThat(clinic.examine(Clinic.dataSource(url + "?loginTimeout=9", clinic.sandbox())))
        .isEmpty();
    assertOnly(
        clinic.examine(Clinic.dataSource(url + "?loginTimeout=0", clinic.sandbox())),
        "driver-without-timeouts");
    assertThat(clinic.examine(pool(url, "9"))).isEmpty();
    assertOnly(clinic.examine(pool(url, "0")), "driver-without-timeouts");
  }

  private HikariDataSource pool(String url, String loginTimeout) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(clinic.sandbox().user());
    config.setPassword(clinic.sandbox().password());
    config.setMinimumIdle(0);
    config.addDataSourceProperty("loginTimeout", loginTimeout);
    HikariDataSource pool = new HikariDataSource(config);
    pools.add(pool);
    return pool;
  }

  @Test
  void a_schema_that_may_not_be_used_is_reported() throws SQLException {
    String user = clinic.sandbox().name() + "_s";
    clinic.run("CREATE SCHEMA shut", "CREATE ROLE " + user + " LOGIN PASSWORD '" + user + "'");
    clinic.afterwards("DROP ROLE " + user);
    Schema.builder(clinic.dataSource()).schema("shut").create();
    clinic.run("GRANT ALL ON ALL TABLES IN SCHEMA shut TO " + user);

    assertFailure(
        new Examination(
                clinic.dataSource(user),
                dev.outbox.jdbc.internal.session.Tables.of("shut", "outbox", 63),
                Clinic.LANES,
                InstantSource.system())
            .findings(Clinic.need(Role.RELAY)),
        "grants-missing",
        "GRANT USAGE ON SCHEMA shut TO " + user);
  }
}
