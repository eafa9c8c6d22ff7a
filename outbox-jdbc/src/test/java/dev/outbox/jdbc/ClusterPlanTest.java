package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Claiming;
import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.PostgresDialect;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.jdbc.shape.BySource.Source;
import dev.outbox.jdbc.sql.ClusterStatement;
import dev.outbox.jdbc.sql.Statements;
import dev.outbox.jdbc.sql.SweepStatement;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Layout;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What clears up behind takeovers looks at a piece of large tables, by their indexes, on
 * PostgreSQL: the second of three clusters, with 100,000 rows of each kind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClusterPlanTest {
  private static final int ROWS = 100_000;
  private static final int PIECE = 2_000;
  private static final Dialect DIALECT = new PostgresDialect();
  private static final Statements STATEMENTS = Statements.of(DIALECT);
  private static final Layout LAYOUT = new Layout(3, 32, Claiming.LANES, 3, 1);

  private Sandbox sandbox;

  @BeforeAll
  void fill() throws SQLException {
    sandbox = Database.POSTGRES.sandbox();
    Schema.builder(sandbox.pool()).clusters(Clusters.of(3, 1)).create();
    run(
        "INSERT INTO outbox (lane, id, topic, payload) SELECT n % 32, 3 * n, 't', '' FROM generate_series(1, "
            + ROWS
            + ") n",
        "INSERT INTO outbox_delayed (lane, id, topic, payload, due_at) SELECT n % 96, 3 * n, 't', '', now() + (n - 60000) * INTERVAL '1 second' FROM generate_series(1, "
            + ROWS
            + ") n",
        """
        INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, content_type, origin, created_at, reason, attempts)
        SELECT 32 + n %% 32, 3 * n, 1, gen_random_uuid(), 't', 'k' || n / 640, 'c', 1, now(), 'FOLLOWER', 0
        FROM generate_series(1, %d) n
        """
            .formatted(ROWS),
        """
        INSERT INTO outbox_dead (dead_id, cluster_id, lane, id, message_id, topic, msg_key, content_type, origin, created_at, reason, attempts, holds)
        SELECT n, 1, 32 + n %% 32, 3 * n, gen_random_uuid(), 't', 'd' || n, 'c', 1, now(), 'REJECTED', 1, 1
        FROM generate_series(1, %d) n
        """
            .formatted(ROWS),
        """
        INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at)
        SELECT n %% 32, 3 * n + 1, 0, gen_random_uuid(), 1, n / 1000, now() FROM generate_series(1, %d) n
        """
            .formatted(ROWS),
        "VACUUM ANALYZE");
  }

  @AfterAll
  void close() {
    sandbox.close();
  }

  private void run(String... statements) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private List<String> explain(String text) throws SQLException {
    String sql =
        Tables.of(null, "outbox", 63)
            .at(LAYOUT)
            .render(text, DIALECT.clock())
            .replace(":limit", Integer.toString(PIECE))
            .replace(":lane", "5")
            .replace(":at", "now() - INTERVAL '1 hour'")
            .replace(":batch", "50")
            .replace(":upTo", "60000");
    List<String> plan = new ArrayList<>();
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("EXPLAIN ANALYZE " + sql)) {
      while (row.next()) {
        plan.add(row.getString(1));
      }
    }
    System.out.println(String.join(System.lineSeparator(), plan));
    return plan;
  }

  private static void assertBounded(List<String> plan, String index) {
    assertThat(plan)
        .anyMatch(line -> line.contains(index))
        .noneMatch(line -> line.contains("Seq Scan"))
        .noneMatch(line -> line.contains("hashed SubPlan"))
        .noneMatch(line -> line.matches(".*rows=\\d{5,} loops=1.*") && line.contains("actual"));
  }

  /** The rest of one lane, and the lanes behind it. */
  private void assertWalked(String text, int low, int high, String index) throws SQLException {
    String within = text.replace(":low", "" + low).replace(":high", "" + low);
    assertBounded(explain(within.replace(":after", "5000")), index);
    String behind = text.replace(":low", "" + low).replace(":high", "" + high);
    assertBounded(explain(behind.replace(":after", "-1")), index);
  }

  @Test
  void ready_and_parked_ones_that_were_taken_over_are_looked_for_by_the_primary_key()
      throws SQLException {
    assertWalked(STATEMENTS.text(SweepStatement.GHOSTS, Source.READY), 3, 31, "outbox_pk");
    assertWalked(STATEMENTS.text(SweepStatement.GHOSTS, Source.PARKED), 35, 63, "outbox_parked_pk");
  }

  @Test
  void delayed_ones_are_looked_for_by_their_time() throws SQLException {
    String text = STATEMENTS.text(SweepStatement.DELAYED_GHOSTS).replace(":after", "5000");
    List<String> plan = explain(text);
    assertBounded(plan, "outbox_delayed_heads");
    assertThat(plan).anyMatch(line -> line.contains("Index Cond") && line.contains("due_at <="));
  }

  @Test
  void followers_are_looked_for_by_the_primary_key_and_their_heads_by_their_key()
      throws SQLException {
    assertWalked(STATEMENTS.text(SweepStatement.FOLLOWERS), 35, 63, "outbox_parked_pk");
  }

  @Test
  void how_far_a_lane_reaches_is_read_at_the_end_of_its_index() throws SQLException {
    assertBounded(explain(STATEMENTS.text(ClusterStatement.LAST, Source.READY)), "outbox_pk");
    assertBounded(
        explain(STATEMENTS.text(ClusterStatement.LAST, Source.PARKED)), "outbox_parked_pk");
    assertBounded(
        explain(STATEMENTS.text(ClusterStatement.LAST, Source.DELAYED)), "outbox_delayed_heads");
  }

  @Test
  void what_is_taken_over_up_to_there_is_found_by_the_same_indexes() throws SQLException {
    assertBounded(explain(noted(Source.READY)), "outbox_pk");
    assertBounded(explain(noted(Source.PARKED)), "outbox_parked_pk");
    assertBounded(explain(noted(Source.DELAYED)), "outbox_delayed_heads");
  }

  /** The rows of which notes are written. */
  private static String noted(Source source) {
    String text = STATEMENTS.text(ClusterStatement.NOTE, source);
    return text.substring(text.indexOf("SELECT"));
  }

  @Test
  void old_notes_are_looked_for_by_their_batch() throws SQLException {
    assertBounded(explain(STATEMENTS.text(SweepStatement.OLD_NOTES)), "outbox_takeover_batch");
  }
}
