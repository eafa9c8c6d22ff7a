package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

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

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void an_upgrade_needs_no_right_to_read_all_tables(Database database) throws SQLException {
    try (Clinic clinic = new Clinic(database)) {
      clinic.run(
          "ALTER TABLE outbox_meta DROP COLUMN clusters, DROP COLUMN cluster_id",
          "ALTER TABLE outbox_lane DROP COLUMN lease_micros",
          "UPDATE outbox_meta SET schema_version = 2");
      DataSource maker = maker(clinic, "ALTER, CREATE, DROP, INDEX, INSERT");
      grant(clinic, "SELECT, UPDATE", "outbox_meta");
      grant(clinic, "SELECT", "outbox_relay");
      Schema.builder(maker).build().upgrade();
      assertThat(Schema.builder(clinic.pool()).build().verify()).isEmpty();
    }
  }
}
