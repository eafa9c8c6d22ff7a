package dev.outbox.jdbc.operate;

import static dev.outbox.jdbc.operate.DoctorCases.assertFailure;
import static dev.outbox.jdbc.operate.DoctorCases.assertWarning;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.OutboxException.Finding;
import dev.outbox.Relay;
import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.proof.Await;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.spi.Usage.Role;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the doctor finds where a log reader reads the tables instead of a relay. */
class CaptureDoctorTest {
  private static List<Finding> examine(Clinic clinic) {
    return clinic.examine(clinic.dataSource(), Clinic.need(Role.CAPTURE));
  }

  private static List<String> codes(Clinic clinic) {
    return examine(clinic).stream().map(Finding::code).toList();
  }

  @Test
  void a_server_whose_log_has_no_rows_is_reported() throws SQLException {
    try (Clinic clinic = new Clinic(Database.POSTGRES)) {
      assertFailure(examine(clinic), "capture-log", "wal_level is replica", "ALTER SYSTEM SET");
      assertFailure(
          examine(clinic), "capture-slot", "SELECT pg_create_logical_replication_slot('outbox'");
      assertFailure(
          examine(clinic), "capture-publication", "CREATE PUBLICATION outbox FOR TABLE outbox");
      assertThat(clinic.examine(clinic.dataSource(), Clinic.need(Role.WRITER))).isEmpty();
    }
    try (Clinic clinic = new Clinic(Database.MYSQL)) {
      assertFailure(examine(clinic), "capture-log", "log_bin is OFF");
    }
    try (Clinic clinic = new Clinic(Database.H2)) {
      assertFailure(examine(clinic), "capture-log", "H2 has no log");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void a_relay_and_messages_for_a_relay_are_reported(Database database) throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      assertThat(codes(clinic)).doesNotContain("capture-and-relay", "capture-waiting");
      clinic.run("INSERT INTO outbox_delayed (lane, topic, due_at) VALUES (1, 't', '2040-01-01')");
      JdbcStore store = JdbcStore.create(clinic.sandbox().pool(4));
      try (Relay relay = Relay.builder(store, Publisher.blocking(none -> {})).start()) {
        Await.until(
            "the relay is registered",
            Duration.ofSeconds(10),
            () -> !store.snapshot(1).relays().isEmpty());
        assertFailure(examine(clinic), "capture-and-relay", relay.name(), "published twice");
      }
      assertThat(codes(clinic)).doesNotContain("capture-and-relay");
      assertWarning(examine(clinic), "capture-waiting", "outbox_delayed", "deliverAt");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void the_rights_that_the_page_names_are_enough_to_look(Database database) throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      clinic.createUser("keeper");
      String keeper = database == Database.POSTGRES ? "app_keeper" : "'app_keeper'@'%'";
      clinic.grant(
          Stream.of("outbox_meta", "outbox_relay", "outbox_parked", "outbox_delayed", "outbox")
              .map(table -> "GRANT SELECT ON " + table + " TO " + keeper)
              .toList());
      clinic.grant(List.of("GRANT DELETE ON outbox TO " + keeper));
      DataSource lent = clinic.dataSource(clinic.user("keeper"));
      assertThat(JdbcStore.create(lent).examine(Clinic.need(Role.CAPTURE)))
          .extracting(Finding::code)
          .doesNotContain("grants-missing", "tables-wrong", "cannot-check");
    }
  }

  @Test
  void a_publication_with_deletes_and_a_replica_identity_are_reported() throws SQLException {
    try (Clinic clinic = new Clinic(Database.POSTGRES)) {
      clinic.run("CREATE PUBLICATION mine FOR TABLE outbox");
      assertWarning(examine(clinic), "capture-deletes", "ALTER PUBLICATION mine SET (publish");
      clinic.run("ALTER TABLE outbox REPLICA IDENTITY NOTHING");
      assertFailure(examine(clinic), "capture-identity", "refuses every delete");
      clinic.run("ALTER PUBLICATION mine SET (publish = 'insert');");
      assertThat(codes(clinic))
          .doesNotContain("capture-deletes", "capture-identity", "capture-publication");
      clinic.run("ALTER TABLE outbox REPLICA IDENTITY FULL");
      assertWarning(examine(clinic), "capture-identity", "is FULL");
      clinic.run("ALTER TABLE outbox REPLICA IDENTITY DEFAULT;");
      assertThat(codes(clinic)).doesNotContain("capture-identity");
      clinic.run("ALTER PUBLICATION mine SET (publish = 'delete')");
      assertFailure(examine(clinic), "capture-publication", "no publication has the inserts");
    }
  }

  @Tag("proof")
  @Test
  void a_slot_that_keeps_the_log_or_has_lost_it_is_reported() throws SQLException {
    DatabaseServer server = DatabaseServer.postgres("wal_level=logical");
    try (Clinic clinic = new Clinic(server.sandbox(), Clusters.ONE)) {
      clinic.run("CREATE PUBLICATION outbox FOR TABLE outbox WITH (publish = 'insert')");
      assertThat(codes(clinic)).containsExactly("capture-slot");
      clinic.run("SELECT pg_create_logical_replication_slot('other', 'test_decoding')");
      assertThat(codes(clinic)).as("of another plugin").containsExactly("capture-slot");
      clinic.run("SELECT pg_drop_replication_slot('other')");
      clinic.run("SELECT pg_create_logical_replication_slot('mine', 'pgoutput')");
      assertWarning(
          examine(clinic),
          "capture-slot-behind",
          "slot mine keeps",
          "a reader is not connected",
          "max_slot_wal_keep_size is -1");
      clinic.run("ALTER SYSTEM SET max_slot_wal_keep_size = '32MB'", "SELECT pg_reload_conf()");
      for (int segment = 0; segment < 8; segment++) {
        clinic.run("SELECT txid_current(), pg_switch_wal()");
      }
      clinic.run("CHECKPOINT");
      assertFailure(examine(clinic), "capture-slot", "slot mine has lost part of the log", "32MB");
      clinic.run("SELECT pg_drop_replication_slot('mine')");
    } finally {
      server.stop();
    }
  }

  @Tag("proof")
  @Test
  void a_binary_log_without_whole_rows_is_reported() throws SQLException {
    DatabaseServer mysql = DatabaseServer.mysql("--log-bin=binlog", "--server-id=7");
    DatabaseServer mariadb = DatabaseServer.mariadb("--log-bin=binlog", "--server-id=7");
    for (DatabaseServer server : List.of(mysql, mariadb)) {
      try (Clinic clinic = new Clinic(server.sandbox(), Clusters.ONE)) {
        clinic.runAsAdmin("SET GLOBAL binlog_format = 'ROW'");
        assertThat(codes(clinic)).noneMatch(code -> code.startsWith("capture"));
        clinic.runAsAdmin(
            "SET GLOBAL binlog_format = 'MIXED'", "SET GLOBAL binlog_row_image = 'MINIMAL'");
        assertFailure(examine(clinic), "capture-log", "binlog_format is MIXED");
        assertFailure(examine(clinic), "capture-log", "binlog_row_image is MINIMAL");
      } finally {
        server.stop();
      }
    }
  }
}
