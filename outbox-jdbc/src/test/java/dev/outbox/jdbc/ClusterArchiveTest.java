package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Archive;
import dev.outbox.Outbox;
import dev.outbox.cluster.Clusters;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An archive that several clusters replicate to each other. */
class ClusterArchiveTest {
  private static final String COLUMNS =
      "id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin, not_after, created_at";

  private static final String ARCHIVE =
      "INSERT INTO outbox_archive (lane, "
          + COLUMNS
          + ", completed_at) SELECT %s, "
          + COLUMNS
          + ", created_at FROM outbox";

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void a_cluster_purges_what_it_delivered_itself(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      Schema.builder(sandbox.pool())
          .lanes(2)
          .clusters(Clusters.of(2, 1))
          .with(Schema.Part.ARCHIVE)
          .create();
      JdbcStore store = JdbcStore.builder(sandbox.pool()).archive().build();
      connection.setAutoCommit(false);
      Outbox.create(store).enqueue(connection, Message.to("t").text("x"));
      for (String lane : new String[] {"lane", "lane - 2"}) {
        statement.execute(ARCHIVE.formatted(lane));
      }
      connection.commit();

      assertThat(Archive.create(store).purge(Duration.ZERO)).isEqualTo(1);

      try (ResultSet left = statement.executeQuery("SELECT lane FROM outbox_archive")) {
        assertThat(left.next()).isTrue();
        assertThat(left.getInt("lane")).as("of the other cluster").isLessThan(2);
        assertThat(left.next()).isFalse();
      }
      connection.rollback();
    }
  }
}
