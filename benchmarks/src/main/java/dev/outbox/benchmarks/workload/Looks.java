package dev.outbox.benchmarks.workload;

import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.servers.Sandbox;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * What a look of the metrics at the tables costs the server, by pg_stat_statements: at rest, with
 * messages that wait and were just written, and when they are vacuumed. PostgreSQL only.
 */
final class Looks implements Workload {
  private static final int SECONDS = 15;
  private static final int FULL = 10_000_000;
  private static final String WRITE =
      """
      INSERT INTO outbox (lane, id, topic, msg_key, payload, origin)
      SELECT n %% 32, n, 'topic-' || n %% 20, 'k' || n %% 1000, decode(repeat('00', 200), 'hex'), 0
      FROM generate_series(1, %d) AS n
      """;
  private static final String SPENT =
      """
      SELECT SUM(calls), SUM(total_exec_time), MAX(max_exec_time)
      FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'
      """;

  @Override
  public void run(Setting setting, Report report) throws Exception {
    int waiting = setting.numbers("waiting", List.of(FULL), List.of(100_000)).get(0);
    DatabaseServer server = DatabaseServer.postgres("shared_preload_libraries=pg_stat_statements");
    try (Sandbox sandbox = server.sandbox();
        Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION pg_stat_statements");
      Schema.builder(sandbox.dataSource()).create();
      look(sandbox, statement, "at rest");
      statement.execute(WRITE.formatted(waiting));
      look(sandbox, statement, waiting + " just written");
      statement.execute("VACUUM ANALYZE outbox");
      look(sandbox, statement, waiting + " vacuumed");
    } finally {
      server.stop();
    }
  }

  /**
   * One look each second: what a minute has is the cost of one. The first has what every connection
   * begins with, and is not counted.
   */
  private static void look(Sandbox sandbox, Statement statement, String state) throws Exception {
    OutboxMetrics metrics =
        OutboxMetrics.builder(JdbcStore.create(sandbox.pool(2)))
            .interval(Duration.ofSeconds(1))
            .always()
            .build();
    try (metrics) {
      metrics.bindTo(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
      Thread.sleep(1500);
      statement.execute("SELECT pg_stat_statements_reset()");
      Thread.sleep(SECONDS * 1000L);
    }
    tell(statement, state);
  }

  private static void tell(Statement statement, String state) throws SQLException {
    try (ResultSet row = statement.executeQuery(SPENT)) {
      row.next();
      System.out.printf(
          "looks, %s: %d looks, %.1f statements and %.2f ms of the server each, longest statement %.2f ms%n",
          state, SECONDS, row.getDouble(1) / SECONDS, row.getDouble(2) / SECONDS, row.getDouble(3));
    }
  }
}
