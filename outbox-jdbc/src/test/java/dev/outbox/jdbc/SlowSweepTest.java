package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.MariaDbDialect;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.jdbc.sql.SweepStatement;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
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

  /** Its rows may be new, and unknown to the statistics. */
  @Test
  void on_mariadb_a_piece_looks_for_the_heads_of_its_followers_by_their_keys() throws Exception {
    Dialect dialect = new MariaDbDialect();
    String text =
        Statements.of(dialect)
            .text(SweepStatement.FOLLOWERS)
            .replace(":low", "4")
            .replace(":high", "7")
            .replace(":after", "-1")
            .replace(":limit", "2000");
    Layout layout = new Layout(3, 4, Claiming.LANES, 3, 1);
    String piece = Tables.of(null, "outbox", 64).at(layout).render(text, dialect.clock());
    try (Sandbox sandbox = Database.MARIADB.sandbox();
        Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      Schema.builder(sandbox.pool()).lanes(4).clusters(Clusters.of(3, 1)).create();
      statement.execute(
          """
          INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, content_type, origin, created_at, reason, attempts)
          SELECT 4 + seq % 4, 3 * seq + 1, 1, UNHEX(MD5(seq)), 't', CONCAT('k', seq), 'c', 1, NOW(6), 'FOLLOWER', 0
          FROM seq_1_to_40000
          """);
      int before = reads(statement);
      statement.executeQuery(piece).close();
      assertThat(reads(statement) - before).isLessThan(20_000);
    }
  }

  private static int reads(Statement statement) throws SQLException {
    int reads = 0;
    try (ResultSet rows = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read_%'")) {
      while (rows.next()) {
        reads += rows.getInt(2);
      }
    }
    return reads;
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
