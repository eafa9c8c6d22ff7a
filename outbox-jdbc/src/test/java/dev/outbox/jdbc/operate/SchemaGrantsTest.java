package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A user who may make and change tables, and may not read them all. */
final class SchemaGrantsTest {
  private static DataSource maker(Clinic clinic, String rights) throws SQLException {
    clinic.createUser("maker");
    grant(clinic, rights, "*");
    return clinic.dataSource(clinic.user("maker"));
  }

  private static void grant(Clinic clinic, String rights, String table) throws SQLException {
    String maker = "'" + clinic.user("maker") + "'@'%'";
    String sandbox = clinic.sandbox().name();
    clinic.runAsAdmin("GRANT %s ON %s.%s TO %s".formatted(rights, sandbox, table, maker));
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_missing_table_is_made_by_a_user_who_may_not_read_it(Database database)
      throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      DataSource maker = maker(clinic, "CREATE");
      Schema schema = Schema.builder(maker).only(Schema.Part.ARCHIVE).build();
      schema.create();
      clinic.run("SELECT lane FROM outbox_archive");
      schema.create();
    }
  }

  /** These databases deny a missing table too. */
  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void what_may_not_be_read_is_told_from_what_may_be_missing(Database database)
      throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      DataSource maker = maker(clinic, "CREATE");
      clinic.run("DROP TABLE outbox_parked");
      String schema = clinic.sandbox().name();
      assertThat(Schema.builder(maker).build().verify())
          .contains("table outbox_dead may not be read")
          .contains("table outbox_parked is missing or may not be read");
      assertThat(Schema.builder(maker).schema(schema).build().verify())
          .contains("table " + schema + ".outbox_dead may not be read")
          .contains("table " + schema + ".outbox_parked is missing or may not be read");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void an_upgrade_needs_no_right_to_read_all_tables(Database database) throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      DataSource maker = upgrader(clinic);
      Schema.builder(maker).build().upgrade();
      assertThat(Schema.builder(clinic.pool()).build().verify()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void an_upgrade_names_a_missing_table_that_its_user_may_not_read(Database database)
      throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      DataSource maker = upgrader(clinic);
      clinic.run("DROP TABLE outbox_parked");
      assertThatThrownBy(() -> Schema.builder(maker).build().upgrade())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("but table outbox_parked is missing or may not be read. Change");
    }
  }

  /** The tables are of version 2, and this user may read two of them. */
  private static DataSource upgrader(Clinic clinic) throws SQLException {
    clinic.run(
        "ALTER TABLE outbox_meta DROP COLUMN clusters, DROP COLUMN cluster_id",
        "ALTER TABLE outbox_lane DROP COLUMN lease_micros",
        "UPDATE outbox_meta SET schema_version = 2");
    DataSource maker = maker(clinic, "ALTER, CREATE, DROP, INDEX, INSERT");
    grant(clinic, "SELECT, UPDATE", "outbox_meta");
    grant(clinic, "SELECT", "outbox_relay");
    return maker;
  }
}
