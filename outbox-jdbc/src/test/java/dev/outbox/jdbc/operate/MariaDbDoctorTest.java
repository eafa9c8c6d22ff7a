package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.servers.Database;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class MariaDbDoctorTest extends MySqlCases {
  MariaDbDoctorTest() {
    super(Database.MARIADB);
  }

  @Override
  String moreLimits() {
    return ", ?";
  }

  @Test
  void snapshot_isolation_is_reported() {
    DataSource snapshots =
        TamperedDataSource.greeting(
            clinic.dataSource(), "SET SESSION innodb_snapshot_isolation = ON");

    assertOnly(clinic.examine(snapshots), "snapshot-isolation");
    assertWarning(clinic.examine(snapshots), "snapshot-isolation", "1020");
  }

  // as of a node, which GaleraTest has for real
  @Test
  void a_galera_node_is_reported_but_not_a_server_without_a_provider() {
    String on = "SELECT 'wsrep_on' AS variable_name, 'ON' AS value";
    DataSource node = TamperedDataSource.rewriting(clinic.dataSource(), "wsrep_on", on);
    DataSource alone =
        TamperedDataSource.rewriting(
            clinic.dataSource(), "wsrep_on", on + " UNION ALL SELECT 'wsrep_provider', 'none'");

    assertOnly(clinic.examine(node), "galera");
    assertFailure(clinic.examine(node), "galera", "wsrep_on", "oneNode()");
    assertThat(clinic.examineOnOneNode(node)).isEmpty();
    assertThat(clinic.examine(alone)).isEmpty();
  }
}
