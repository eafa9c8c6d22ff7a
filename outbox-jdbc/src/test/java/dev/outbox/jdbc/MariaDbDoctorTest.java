package dev.outbox.jdbc;

import dev.outbox.testkit.database.Database;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it disturbs the server that others use")
class MariaDbDoctorTest extends MySqlCases {
  MariaDbDoctorTest() {
    super(Database.MARIADB);
  }

  @Override
  String moreLimits() {
    return ", ?";
  }

  @Test
  void snapshot_isolation_is_told() {
    DataSource snapshots =
        TamperedDataSource.greeting(
            clinic.dataSource(), "SET SESSION innodb_snapshot_isolation = ON");

    assertOnly(clinic.examine(snapshots), "snapshot-isolation");
    assertWarning(clinic.examine(snapshots), "snapshot-isolation", "1020");
  }

  // the server's own answer is exchanged: wsrep_on cannot be set without a cluster
  @Test
  void a_galera_node_is_told() {
    DataSource node =
        TamperedDataSource.rewriting(
            clinic.dataSource(), "wsrep_on", "SELECT 'wsrep_on' AS name, 'ON' AS value");

    assertOnly(clinic.examine(node), "galera");
    assertFailure(clinic.examine(node), "galera", "wsrep_on");
  }
}
