package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.cluster.Clusters;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A sweep on a database that takes more than a second for each piece. */
class SlowSweepTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** The thread that sweeps renews leases too. */
  @Test
  void a_sweep_that_takes_long_goes_on_with_the_next_call() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      DataSource pool = sandbox.pool(2);
      Schema.builder(pool).lanes(4).clusters(Clusters.of(3, 1)).create();
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(
            """
            INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, content_type, origin, created_at, reason, attempts)
            SELECT 4, 3 * n + 1, 1, gen_random_uuid(), 't', 'k' || n, 'c', 1, clock_timestamp(), 'FOLLOWER', 0
            FROM generate_series(1, 4000) AS n
            """);
        try (LaneStore relay = JdbcStore.create(slow(pool)).lanes("a", MINUTE)) {
          relay.clusters().sweep(MINUTE);
          assertThat(woken(statement)).isEqualTo(2000);
          relay.clusters().sweep(MINUTE);
          assertThat(woken(statement)).isEqualTo(4000);
        }
      }
    }
  }

  private static DataSource slow(DataSource pool) {
    return new TamperedDataSource(
        pool,
        (connection, method, arguments) -> {
          if (method.getName().equals("prepareStatement")
              && arguments[0].toString().contains("reason = 'FOLLOWER'")) {
            Thread.sleep(1100);
          }
          return TamperedDataSource.passed(connection, method, arguments);
        });
  }

  private static int woken(Statement statement) throws SQLException {
    try (ResultSet rows =
        statement.executeQuery("SELECT COUNT(*) FROM outbox_parked WHERE due_at IS NOT NULL")) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
