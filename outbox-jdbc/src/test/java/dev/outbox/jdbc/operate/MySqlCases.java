package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.OwnServers;
import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Usage.Role;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doctor must find on MySQL and on MariaDB. */
abstract class MySqlCases extends DoctorCases {
  // MySQL 8.0.15 takes its own expression defaults for zero dates when it alters a table
  private static final String LAX = "SET SESSION sql_mode = ''";

  MySqlCases(Database database) {
    super(database);
  }

  /** Some settings are those of the whole server. */
  @Override
  Sandbox sandbox(Database database) {
    return OwnServers.OF_THE_DOCTOR.on(database).sandbox();
  }

  @Override
  Question question() {
    return new Question("column_type", "the precision of the times");
  }

  @Test
  void a_session_lent_inside_a_transaction_is_reported() {
    assertFailure(
        clinic.examine(TamperedDataSource.greeting(clinic.dataSource(), "START TRANSACTION")),
        "lent-in-transaction",
        "init SQL");
  }

  @Test
  void a_session_that_only_reads_is_reported() {
    DataSource closed =
        TamperedDataSource.greeting(clinic.dataSource(), "SET SESSION TRANSACTION READ ONLY");

    assertFailure(clinic.examine(closed), "read-only", "primary");
  }

  @Test
  void a_replica_is_reported() throws SQLException {
    clinic.runAsAdmin("SET GLOBAL read_only = 1");
    try {
      assertFailure(clinic.examine(), "read-only", "primary");
    } finally {
      clinic.runAsAdmin("SET GLOBAL read_only = 0");
    }
  }

  @Test
  void ids_in_steps_are_reported() {
    DataSource many =
        TamperedDataSource.greeting(
            clinic.dataSource(), "SET SESSION auto_increment_increment = 3");

    assertOnly(clinic.examine(many), "ids-out-of-order");
    assertFailure(clinic.examine(many), "ids-out-of-order", "increment is 3");
    assertThat(clinic.examineOnOneNode(many)).isEmpty();
  }

  @Test
  void another_engine_is_reported() throws SQLException {
    clinic.run(LAX, "ALTER TABLE outbox_lane ENGINE = MyISAM");

    assertOnly(clinic.examine(), "engine-not-innodb");
    assertFailure(
        clinic.examine(), "engine-not-innodb", "ALTER TABLE outbox_lane ENGINE = InnoDB;");
    clinic.run(LAX, "ALTER TABLE outbox_lane ENGINE = InnoDB;");
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void times_without_microseconds_are_reported() throws SQLException {
    clinic.run(LAX, "ALTER TABLE outbox_lane MODIFY lease_until datetime");

    assertFailure(clinic.examine(), "time-precision", "outbox_lane.lease_until is datetime,");
    clinic.run(LAX, "ALTER TABLE outbox_lane MODIFY lease_until datetime(6);");
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void a_collation_that_joins_keys_is_reported() throws SQLException {
    clinic.run(
        LAX, "ALTER TABLE outbox CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci");

    assertOnly(clinic.examine(), "collation-not-binary");
    assertFailure(clinic.examine(), "collation-not-binary", "outbox.msg_key", "utf8mb4_general_ci");
    clinic.run(LAX, "ALTER TABLE outbox CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;");
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void a_character_set_that_refuses_is_reported() throws SQLException {
    clinic.run(LAX, "ALTER TABLE outbox_dead CONVERT TO CHARACTER SET latin1 COLLATE latin1_bin");

    assertOnly(clinic.examine(), "encoding-not-utf8");
    assertFailure(clinic.examine(), "encoding-not-utf8", "outbox_dead.headers", "latin1_bin");
  }

  @Test
  void a_session_that_speaks_a_part_of_utf8_is_reported() {
    DataSource latin = TamperedDataSource.greeting(clinic.dataSource(), "SET NAMES utf8mb3");

    assertOnly(clinic.examine(latin), "encoding-not-utf8");
    assertFailure(clinic.examine(latin), "encoding-not-utf8", "is utf8", "SET NAMES");
  }

  @Test
  void a_small_packet_is_reported() throws SQLException {
    clinic.runAsAdmin("SET GLOBAL max_allowed_packet = 1048576");
    try {
      assertOnly(clinic.examine(clinic.dataSource()), "packet-small");
      assertWarning(clinic.examine(clinic.dataSource()), "packet-small", "1048576");
    } finally {
      clinic.runAsAdmin("SET GLOBAL max_allowed_packet = 67108864");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void a_log_that_is_flushed_after_the_commit_is_reported(int value) throws SQLException {
    clinic.runAsAdmin("SET GLOBAL innodb_flush_log_at_trx_commit = " + value);
    try {
      assertOnly(clinic.examine(), "commits-not-durable");
      assertWarning(
          clinic.examine(),
          "commits-not-durable",
          "innodb_flush_log_at_trx_commit is " + value,
          "innodb_flush_log_at_trx_commit = 1;");
    } finally {
      clinic.runAsAdmin("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void a_relay_without_the_process_privilege_is_reported() throws SQLException {
    String user = clinic.sandbox().name() + "_p";
    clinic.run(
        "CREATE USER '" + user + "'@'%' IDENTIFIED BY '" + user + "'",
        "GRANT ALL ON " + clinic.sandbox().name() + ".* TO '" + user + "'@'%'");
    clinic.afterwards("DROP USER '" + user + "'@'%'");

    assertOnly(clinic.examine(clinic.dataSource(user)), "process-missing");
    assertWarning(
        clinic.examine(clinic.dataSource(user)),
        "process-missing",
        "GRANT PROCESS ON *.* TO '" + user + "'@'%';");
    assertThat(clinic.examine(clinic.dataSource(user), Clinic.need(Role.WRITER))).isEmpty();
    clinic.runAsAdmin("GRANT PROCESS ON *.* TO '" + user + "'@'%';");
    assertThat(clinic.examine(clinic.dataSource(user))).isEmpty();
  }

  // the server's own answer is exchanged: the test server runs without a binary log
  @Test
  void a_binary_log_of_statements_is_reported() {
    DataSource statements =
        TamperedDataSource.rewriting(
            clinic.dataSource(), "binlog_format", "SELECT 1 AS logs, 'STATEMENT' AS format");

    assertOnly(clinic.examine(statements), "binlog-statement");
    assertFailure(clinic.examine(statements), "binlog-statement", "binlog_format = 'ROW'");
  }

  @Test
  void limits_that_do_not_stay_are_reported() {
    DataSource forgetful =
        TamperedDataSource.rewriting(
            clinic.dataSource(),
            "SET SESSION innodb_lock_wait_timeout",
            "DO ?, ?, ?" + moreLimits());

    assertOnly(clinic.examine(forgetful), "limits-forced");
    assertFailure(clinic.examine(forgetful), "limits-forced", "lock_wait is 50 after 3 was set");
  }

  /** What MariaDB binds beyond the three values of MySQL. */
  abstract String moreLimits();
}
