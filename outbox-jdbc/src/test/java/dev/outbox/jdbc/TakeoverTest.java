package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Lane;
import dev.outbox.store.ClusterRoll;
import dev.outbox.store.ClusterStore;
import dev.outbox.store.Clusters;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Lease;
import dev.outbox.store.Standing;
import dev.outbox.testkit.crash.CrashReport;
import dev.outbox.testkit.crash.EveryAttempt;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.Undertaking;
import dev.outbox.testkit.database.Database;
import dev.outbox.testkit.database.Sandbox;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The second of three clusters on a real database takes over from the first, whose rows are written
 * here as replication brings them.
 */
class TakeoverTest {
  private static final Duration SILENCE = Duration.ofMinutes(10);
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Lane THEIRS = new Lane(0);
  private static final Lane OURS = new Lane(4);
  private static final String COLUMNS =
      "message_id, topic, msg_key, content_type, payload, origin, created_at";

  private Sandbox sandbox;
  private DataSource pool;

  @BeforeEach
  void create() {
    sandbox = Database.POSTGRES.sandbox();
    pool = sandbox.pool(8);
    Schema.of(pool).lanes(4).clusters(Clusters.of(3, 1)).create();
  }

  @AfterEach
  void close() {
    sandbox.close();
  }

  private void run(String... statements) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private List<String> texts(String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  /** What stands in a table, by its payloads, in the order of their ids. */
  private List<String> standing(String table, Lane lane) throws SQLException {
    return texts(
        "SELECT convert_from(payload, 'UTF8') FROM %s WHERE lane = %s ORDER BY id"
            .formatted(table, lane));
  }

  private List<String> notes() throws SQLException {
    return texts("SELECT id FROM outbox_takeover WHERE cluster_id = 1 ORDER BY id");
  }

  private void write(Lane lane, long id, String text) throws SQLException {
    run(
        "INSERT INTO outbox (lane, id, topic, msg_key, payload, origin) VALUES (%s, %d, 't', 'k', '%s', 0)"
            .formatted(lane, id, text));
  }

  /** As the other cluster does when a publish fails: by one transaction. */
  private void park(long id) throws SQLException {
    run(
        """
        WITH moved AS (DELETE FROM outbox WHERE id = %1$d RETURNING *)
        INSERT INTO outbox_parked (lane, id, cluster_id, reason, attempts, due_at, %2$s)
        SELECT lane, id, lane / 4, 'FAILED', 1, clock_timestamp(), %2$s FROM moved
        """
            .formatted(id, COLUMNS));
  }

  private static Lease leaseOurs(LaneStore relay) {
    return relay.claim(4).stream()
        .map(LaneClaim::lease)
        .filter(lease -> lease.lane().equals(OURS))
        .findFirst()
        .orElseThrow();
  }

  private static int adopt(LaneStore relay) {
    ClusterStore clusters = relay.clusters();
    ClusterRoll roll = clusters.beat(SILENCE, Map.of());
    return clusters.adopt(leaseOurs(relay), THEIRS, roll, 100);
  }

  @Test
  void a_new_message_with_an_id_that_a_note_has_is_taken_over_and_not_swept_away()
      throws Exception {
    write(THEIRS, 1, "old");
    try (LaneStore relay = JdbcStore.create(pool).lanes("a", LEASE)) {
      ClusterStore clusters = relay.clusters();
      ClusterRoll roll = clusters.beat(SILENCE, Map.of());
      Lease lease = leaseOurs(relay);
      assertThat(clusters.adopt(lease, THEIRS, roll, 9)).isEqualTo(1);
      write(THEIRS, 1, "new");
      assertThat(clusters.sweep(SILENCE)).isZero();
      assertThat(standing("outbox", THEIRS)).containsExactly("new");
      assertThat(clusters.adopt(lease, THEIRS, roll, 9)).isEqualTo(1);
      assertThat(standing("outbox", OURS)).containsExactly("old", "new");
      assertThat(notes()).containsExactly("1", "1");
    }
  }

  @Test
  void what_comes_again_after_its_takeover_is_swept_away_piece_by_piece() throws Exception {
    run(
        """
        INSERT INTO outbox (lane, id, topic, payload, origin)
        SELECT CASE WHEN n % 2 = 0 THEN 0 ELSE 9 END, 3 * n, 't', 'x', 0 FROM generate_series(1, 5000) AS n
        """,
        """
        INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at)
        SELECT lane, id, 0, message_id, 2, 1, clock_timestamp() FROM outbox WHERE id > 30
        """);
    try (LaneStore relay = JdbcStore.create(pool).lanes("a", LEASE)) {
      assertThat(relay.clusters().sweep(SILENCE)).isPositive().isLessThan(2001);
      for (int piece = 0; piece < 3; piece++) {
        assertThat(relay.clusters().sweep(SILENCE)).isLessThan(2001);
      }
      assertThat(texts("SELECT id FROM outbox")).hasSize(10);
    }
  }

  @Test
  void one_that_replication_moves_meanwhile_is_taken_from_where_it_stands_and_noted_once()
      throws Exception {
    write(THEIRS, 1, "moved");
    write(THEIRS, 4, "stays");
    write(THEIRS, 7, "gone");
    try (LaneStore relay =
        JdbcStore.create(
                meanwhile(
                    () -> {
                      park(1);
                      run("DELETE FROM outbox WHERE id = 7");
                    }))
            .lanes("a", LEASE)) {
      assertThat(adopt(relay)).isEqualTo(2);
      relay.clusters().sweep(SILENCE);
    }
    assertThat(standing("outbox", OURS)).containsExactly("moved", "stays");
    assertThat(notes()).containsExactly("1", "4");
    assertThat(texts("SELECT id FROM outbox_parked")).isEmpty();
  }

  private interface Change {
    void run() throws SQLException;
  }

  /** Something happens between the notes of a takeover and its move, once. */
  private DataSource meanwhile(Change change) {
    AtomicBoolean happened = new AtomicBoolean();
    return new TamperedDataSource(
        pool,
        (connection, method, arguments) -> {
          if (isTake(method, arguments) && happened.compareAndSet(false, true)) {
            change.run();
          }
          return TamperedDataSource.passed(connection, method, arguments);
        });
  }

  private static boolean isTake(Method method, Object[] arguments) {
    return method.getName().equals("prepareStatement")
        && arguments[0] instanceof String text
        && text.contains("JOIN outbox o");
  }

  @Test
  void a_return_and_a_takeover_that_die_at_any_statement_are_ended_by_who_comes_next()
      throws Exception {
    CrashReport report = EveryAttempt.of(Return::new).run().assertPassed();
    System.out.println("takeover: " + report);
    assertThat(report.runs()).isGreaterThan(60);
  }

  /** A cluster comes back after a silence, and takes over from one that is silent. */
  private final class Return implements Undertaking {
    Return() throws SQLException {
      run(
          "TRUNCATE outbox, outbox_parked, outbox_delayed, outbox_takeover, outbox_beat",
          "INSERT INTO outbox_beat VALUES (1, 5, 'WORKING', 0, '', clock_timestamp() - INTERVAL '1 hour', 4, 3)");
      write(OURS, 2, "taken from here");
      write(OURS, 5, "kept");
      run(
          "INSERT INTO outbox_takeover SELECT lane, id, 0, 2, message_id, 1, clock_timestamp() FROM outbox WHERE id = 2");
      write(THEIRS, 1, "parked");
      park(1);
      park(2);
      park(5);
      write(THEIRS, 4, "ready");
      run(
          """
          INSERT INTO outbox_delayed (id, lane, due_at, topic, payload, origin)
          VALUES (1, 0, clock_timestamp(), 't', 'due', 0),
            (4, 0, clock_timestamp() + INTERVAL '1 hour', 't', 'later', 0)
          """);
    }

    @Override
    public void attempt(String who, Steps steps) throws Exception {
      run("UPDATE outbox_lane SET owner = NULL, lease_until = NULL");
      try (LaneStore relay = JdbcStore.create(steps.watch(who, pool)).lanes(who, LEASE)) {
        ClusterRoll roll = relay.clusters().beat(SILENCE, Map.of());
        if (roll.standing() == Standing.RETURNING) {
          relay.clusters().resume(roll.since());
        }
        adopt(relay);
      }
    }

    @Override
    public List<String> wrongs() throws Exception {
      List<String> found =
          List.of(
              standing("outbox", OURS).toString(),
              standing("outbox_parked", OURS).toString(),
              standing("outbox", THEIRS).toString(),
              standing("outbox_parked", THEIRS).toString(),
              standing("outbox_delayed", THEIRS).toString(),
              notes().toString());
      List<String> wanted =
          List.of("[parked, ready, due]", "[kept]", "[]", "[]", "[later]", "[1, 1, 4]");
      return found.equals(wanted) ? List.of() : found;
    }

    @Override
    public void close() {}
  }
}
