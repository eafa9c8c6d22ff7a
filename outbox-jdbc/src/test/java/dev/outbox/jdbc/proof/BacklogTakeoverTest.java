package dev.outbox.jdbc.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What a takeover of a large backlog asks of the server. */
class BacklogTakeoverTest {
  private static final int MESSAGES = 20_000;
  private static final int BATCH = 1_000;
  private static final int MOST_STATEMENTS = 15 * MESSAGES / BATCH;
  private static final Lane THEIRS = new Lane(0);

  @Test
  void a_large_backlog_is_taken_over_in_its_order_by_few_statements() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        StatementLog log = StatementLog.open(sandbox)) {
      DataSource pool = sandbox.pool(2);
      Schema.builder(pool).lanes(1).clusters(Clusters.of(3, 1)).create();
      run(
          pool,
          """
          INSERT INTO outbox (lane, id, topic, msg_key, payload, origin)
          SELECT 0, 3 * n + 1, 't', 'k' || n %% 50, convert_to(CAST(n AS text), 'UTF8'), 0
          FROM generate_series(1, %d) AS n
          """
              .formatted(MESSAGES));
      try (LaneStore relay = JdbcStore.create(pool).lanes("a", Duration.ofMinutes(1))) {
        ClusterView roll = relay.clusters().beat(Duration.ofMinutes(10), Map.of());
        Lease lease = relay.claim(1).get(0).lease();
        log.begin();
        int moved = 0;
        for (int taken = BATCH; taken == BATCH; ) {
          taken = relay.clusters().adopt(lease, THEIRS, roll, Extent.ALL, BATCH);
          moved += taken;
        }
        Map<String, Integer> statements = log.end();
        assertThat(moved).isEqualTo(MESSAGES);
        assertThat(statements.values().stream().mapToInt(Integer::intValue).sum())
            .as("statements, by text: %s", statements)
            .isBetween(MESSAGES / BATCH, MOST_STATEMENTS);
      }
      assertThat(number(pool, "SELECT COUNT(*) FROM outbox WHERE lane = 0")).isZero();
      assertThat(
              number(
                  pool,
                  """
                  SELECT COUNT(*)
                  FROM (
                    SELECT convert_from(payload, 'UTF8') AS text, row_number() OVER (ORDER BY id) AS place
                    FROM outbox) o
                  WHERE o.text = CAST(o.place AS text)
                  """))
          .isEqualTo(MESSAGES);
    }
  }

  private static void run(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long number(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
