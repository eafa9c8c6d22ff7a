package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.DocsPage;
import dev.outbox.servers.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The SQL of docs/several-clusters.md and of the page about restores, as it is there. */
class SeveralClustersPageTest {
  private static final String NEXT =
      "INSERT INTO outbox (lane, topic) VALUES (33, 't') RETURNING id";

  @Test
  void what_is_to_be_replicated_is_published_and_subscribed() throws SQLException {
    try (Clinic clinic = new Clinic(Database.POSTGRES, Clusters.of(3, 1));
        Connection connection = clinic.sandbox().open();
        Statement statement = connection.createStatement()) {
      for (String sql : DocsPage.SEVERAL_CLUSTERS.statements("replication", Database.POSTGRES)) {
        statement.execute(sql.replace("WITH (", "WITH (connect = false, "));
      }
      try (ResultSet row =
          statement.executeQuery(
              "SELECT COUNT(*), MAX(subname) FROM pg_publication_tables, pg_subscription"
                  + " WHERE pubname = 'outbox_changes' AND subslotname = 'from_0_to_1'")) {
        row.next();
        assertThat(row.getInt(1)).isEqualTo(6);
        assertThat(row.getString(2)).isEqualTo("changes_of_0");
      }
      statement.execute("ALTER SUBSCRIPTION changes_of_0 SET (slot_name = NONE)");
      statement.execute("DROP SUBSCRIPTION changes_of_0");
    }
  }

  @Test
  void a_copy_gives_ids_above_those_that_the_clusters_know() throws SQLException {
    try (Clinic clinic = new Clinic(Database.POSTGRES, Clusters.of(3, 1))) {
      clinic.run(raising());
      assertThat(number(clinic, NEXT)).isEqualTo(1046);
      assertThat(number(clinic, NEXT) % 3).as("as the ids of cluster 1").isEqualTo(2);
    }
  }

  @Test
  void a_copy_that_has_given_more_ids_goes_on_after_them_and_reads_from_the_first_message()
      throws SQLException {
    try (Clinic clinic = new Clinic(Database.POSTGRES, Clusters.of(3, 1))) {
      clinic.run("SELECT setval('outbox_id_seq', 5000)", "UPDATE outbox_lane SET floor = 4000");
      clinic.run(raising());
      assertThat(number(clinic, NEXT)).isEqualTo(5003);
      assertThat(number(clinic, "SELECT MAX(floor) FROM outbox_lane")).isZero();
      assertThat(number(clinic, "SELECT MIN(epoch) FROM outbox_lane")).isGreaterThan(1_000_000);
    }
  }

  private static String[] raising() {
    return DocsPage.SEVERAL_CLUSTERS_RESTORE
        .statements("raise", Database.POSTGRES)
        .toArray(String[]::new);
  }

  private static long number(Clinic clinic, String sql) throws SQLException {
    try (Connection connection = clinic.sandbox().open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
