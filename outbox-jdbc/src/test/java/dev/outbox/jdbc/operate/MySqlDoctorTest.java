package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.servers.Database;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class MySqlDoctorTest extends MySqlCases {
  MySqlDoctorTest() {
    super(Database.MYSQL);
  }

  @Override
  String moreLimits() {
    return "";
  }

  // HikariCP sets the DriverManager's login timeout for the whole JVM
  @Test
  void a_driver_whose_login_never_ends_is_reported_with_what_to_add() {
    DataSource endless = Clinic.dataSource(clinic.sandbox().url(), clinic.sandbox());
    int before = DriverManager.getLoginTimeout();
    try {
      atLast(
          0,
          () -> {
            assertOnly(clinic.examine(endless), "driver-without-timeouts");
            assertWarning(
                clinic.examine(endless),
                "driver-without-timeouts",
                "connectTimeout=5000&socketTimeout=15000");
          });
      assertThat(clinic.examine()).isEmpty();
      atLast(30, () -> assertThat(clinic.examine(endless)).isEmpty());
    } finally {
      DriverManager.setLoginTimeout(before);
    }
  }

  @Test
  void a_connection_that_loses_characters_is_reported() {
    String url = clinic.sandbox().url();
    DataSource latin =
        Clinic.dataSource(
            url + (url.contains("?") ? "&" : "?") + "characterEncoding=ISO-8859-1",
            clinic.sandbox());

    assertFailure(clinic.examine(latin), "encoding-not-utf8", "latin1", "characterEncoding");
  }

  /** Every pool that starts beside this test sets the login time-out of the whole process. */
  private static void atLast(int loginTimeout, Runnable assertion) {
    for (int attempt = 1; ; attempt++) {
      DriverManager.setLoginTimeout(loginTimeout);
      try {
        assertion.run();
        return;
      } catch (AssertionError disturbed) {
        if (attempt == 20) {
          throw disturbed;
        }
      }
    }
  }

  // the server's own answers are exchanged: the test server has no plugin for groups
  @Test
  void a_member_of_group_replication_is_reported_until_one_node_is_declared() {
    DataSource member = inGroup("SELECT 'ONLINE' AS state");

    assertOnly(clinic.examine(member), "group-replication");
    assertFailure(clinic.examine(member), "group-replication", "oneNode()");
    assertThat(clinic.examineOnOneNode(member)).isEmpty();
    assertThat(clinic.examine(inGroup("SELECT 'OFFLINE' AS state"))).isEmpty();
  }

  @Test
  void without_a_right_to_the_members_a_group_with_one_primary_is_reported_and_no_other()
      throws SQLException {
    clinic.createUser("m");
    clinic.runAsAdmin(
        "GRANT ALL ON %s.* TO '%s'@'%%'".formatted(clinic.sandbox().name(), clinic.user("m")),
        "GRANT PROCESS ON *.* TO '%s'@'%%'".formatted(clinic.user("m")));
    DataSource configured =
        TamperedDataSource.rewriting(
            clinic.dataSource(clinic.user("m")),
            "group_replication_group_name",
            "SELECT 'a group' AS value");

    assertThat(clinic.examine(configured)).isEmpty();
    assertOnly(
        clinic.examine(
            TamperedDataSource.rewriting(
                configured, "group_replication_primary_member", "SELECT 'a member' AS value")),
        "group-replication");
  }

  private DataSource inGroup(String state) {
    return TamperedDataSource.rewriting(
        TamperedDataSource.rewriting(
            clinic.dataSource(), "group_replication_group_name", "SELECT 'a group' AS value"),
        "replication_group_members",
        state);
  }
}
