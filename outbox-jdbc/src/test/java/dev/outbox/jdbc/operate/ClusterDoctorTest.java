package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.cluster.Clusters;
import dev.outbox.servers.Database;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the doctor finds where there are several clusters. */
class ClusterDoctorTest {
  private Clinic clinic;

  @BeforeEach
  void open() {
    clinic = new Clinic(Database.POSTGRES, Clusters.of(3, 1));
  }

  @AfterEach
  void close() throws SQLException {
    clinic.close();
  }

  private void beat(int cluster, int number, int lanes, int clusters) throws SQLException {
    clinic.run(
        "INSERT INTO outbox_beat VALUES (%d, %d, 'WORKING', 0, '', clock_timestamp(), %d, %d)"
            .formatted(cluster, number, lanes, clusters));
  }

  @Test
  void another_number_of_lanes_or_clusters_in_another_cluster_is_reported() throws SQLException {
    beat(0, 4, 32, 3);
    beat(2, 7, 16, 3);
    beat(2, 8, 32, 3);
    assertThat(clinic.examine()).isEmpty();
    beat(2, 9, 16, 3);
    DoctorCases.assertOnly(clinic.examine(), "clusters-differ");
    DoctorCases.assertFailure(
        clinic.examine(),
        "clusters-differ",
        "cluster 2 has 16 lanes, 3 clusters, these tables have 32 lanes, 3 clusters");
    clinic.run("DELETE FROM outbox_beat WHERE cluster_id = 2;");
    beat(0, 5, 32, 2);
    DoctorCases.assertFailure(clinic.examine(), "clusters-differ", "cluster 0 has 32 lanes, 2");
  }

  @Test
  void ids_that_went_back_are_reported_with_what_raises_them() throws SQLException {
    clinic.run(
        "INSERT INTO outbox (lane, topic, payload) VALUES (32, 't', ''), (32, 't', ''), (32, 't', '')");
    assertThat(clinic.examine()).isEmpty();
    clinic.run(
        """
        INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at)
        VALUES (33, 23, 0, gen_random_uuid(), 0, 1, clock_timestamp()),
          (33, 8, 1, gen_random_uuid(), 0, 1, clock_timestamp()),
          (3, 1000, 0, gen_random_uuid(), 2, 1, clock_timestamp())
        """);
    DoctorCases.assertOnly(clinic.examine(), "ids-behind");
    DoctorCases.assertFailure(
        clinic.examine(), "ids-behind", "SELECT setval('public.outbox_id_seq', 23);");
    DoctorCases.assertFailure(
        clinic.examine(), "ids-behind", "SELECT setval('public.outbox_delayed_id_seq', 8);");
    clinic.run(
        "SELECT setval('public.outbox_id_seq', 23)",
        "SELECT setval('public.outbox_delayed_id_seq', 8)");
    assertThat(clinic.examine()).isEmpty();
  }

  @Test
  void an_id_that_a_dead_letter_has_is_known_too() throws SQLException {
    clinic.run(
        """
        INSERT INTO outbox_dead (dead_id, cluster_id, lane, id, message_id, topic, content_type, origin, created_at, reason, attempts)
        VALUES (1, 1, 33, 23, gen_random_uuid(), 't', 'c', 1, clock_timestamp(), 'REJECTED', 1)
        """,
        "SELECT setval('public.outbox_dead_dead_id_seq', 1)");
    DoctorCases.assertOnly(clinic.examine(), "ids-behind");
    DoctorCases.assertFailure(
        clinic.examine(), "ids-behind", "SELECT setval('public.outbox_id_seq', 23);");
  }
}
