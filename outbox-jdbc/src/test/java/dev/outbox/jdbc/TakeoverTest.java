package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetters;
import dev.outbox.cluster.ClusterState;
import dev.outbox.cluster.Clusters;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.cluster.ClusterStore.Extent;
import dev.outbox.spi.cluster.ClusterView;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.testkit.crash.CrashReport;
import dev.outbox.testkit.crash.EveryAttempt;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.crash.Undertaking;
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
    Schema.builder(pool).lanes(4).clusters(Clusters.of(3, 1)).create();
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

  /** What is in a table, by its payloads, in the order of their ids. */
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
    ClusterView roll = clusters.beat(SILENCE, Map.of());
    return clusters.adopt(leaseOurs(relay), THEIRS, roll, Extent.ALL, 100);
  }

  @Test
  void a_new_message_with_an_id_that_a_note_has_is_taken_over_and_not_swept_away()
      throws Exception {
    write(THEIRS, 1, "old");
    try (LaneStore relay = JdbcStore.create(pool).lanes("a", LEASE)) {
      ClusterStore clusters = relay.clusters();
      ClusterView roll = clusters.beat(SILENCE, Map.of());
      Lease lease = leaseOurs(relay);
      assertThat(clusters.adopt(lease, THEIRS, roll, Extent.ALL, 9)).isEqualTo(1);
      write(THEIRS, 1, "new");
      assertThat(clusters.sweep(SILENCE)).isZero();
      assertThat(standing("outbox", THEIRS)).containsExactly("new");
      assertThat(clusters.adopt(lease, THEIRS, roll, Extent.ALL, 9)).isEqualTo(1);
      assertThat(standing("outbox", OURS)).containsExactly("old", "new");
      assertThat(notes()).containsExactly("1", "1");
    }
  }

  @Test
  void a_copy_that_takes_over_again_writes_notes_that_meet_none_of_the_first_time()
      throws Exception {
    write(THEIRS, 1, "again");
    run(
        "CREATE TABLE before_that AS SELECT * FROM outbox",
        "CREATE TABLE elsewhere (LIKE outbox_takeover INCLUDING ALL)");
    try (LaneStore relay = JdbcStore.create(pool).lanes("a", LEASE)) {
      assertThat(adopt(relay)).isEqualTo(1);
    }
    run(
        "INSERT INTO elsewhere SELECT * FROM outbox_takeover",
        "TRUNCATE outbox, outbox_takeover, outbox_beat",
        "UPDATE outbox_lane SET owner = NULL, lease_until = NULL",
        "INSERT INTO outbox SELECT * FROM before_that");
    try (LaneStore relay = JdbcStore.create(pool).lanes("b", LEASE)) {
      assertThat(adopt(relay)).isEqualTo(1);
    }
    run("INSERT INTO elsewhere SELECT * FROM outbox_takeover");
    assertThat(texts("SELECT id FROM elsewhere")).containsExactly("1", "1");
  }

  @Test
  void only_notes_that_are_older_are_forgotten() throws Exception {
    run(
        """
        INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at)
        SELECT 0, n, 0, gen_random_uuid(), CASE WHEN n % 3 = 0 THEN 2 ELSE 1 END,
          CAST(extract(epoch FROM at) * 1000 AS bigint), at
        FROM (SELECT n, clock_timestamp() - n * INTERVAL '1 second' AS at FROM generate_series(1, 9000) AS n) notes
        """);
    try (LaneStore relay = JdbcStore.create(pool).lanes("a", LEASE)) {
      relay.clusters().sweep(SILENCE);
    }
    assertThat(notes()).hasSizeBetween(399, 401);
    assertThat(texts("SELECT id FROM outbox_takeover WHERE cluster_id = 2")).hasSize(3000);
  }

  @Test
  void delayed_ones_that_come_again_are_swept_away_lane_by_lane_once_they_are_due()
      throws Exception {
    run(
        """
        INSERT INTO outbox_delayed (lane, id, due_at, topic, payload, origin)
        SELECT CASE WHEN n % 2 = 0 THEN 0 ELSE 9 END, 3 * n,
          clock_timestamp() + CASE WHEN n > 4500 THEN INTERVAL '1 hour' ELSE INTERVAL '-1 hour' END,
          't', 'x', 0
        FROM generate_series(1, 5000) AS n
        """,
        """
        INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at)
        SELECT lane, id, 1, message_id, 2, 1, clock_timestamp() FROM outbox_delayed WHERE id > 30
        """);
    try (LaneStore relay = JdbcStore.create(pool).lanes("a", LEASE)) {
      for (int piece = 0; piece < 3; piece++) {
        assertThat(relay.clusters().sweep(SILENCE)).isLessThan(2001);
      }
    }
    assertThat(texts("SELECT id FROM outbox_delayed WHERE due_at < clock_timestamp()")).hasSize(10);
    assertThat(texts("SELECT id FROM outbox_delayed")).hasSize(510);
  }

  @Test
  void followers_that_lost_their_head_are_woken_on_return_and_by_a_sweep_piece_by_piece()
      throws Exception {
    String followers =
        """
        INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, content_type, origin, created_at, reason, attempts)
        SELECT 4 + n %% 4, 3 * n + %d, 1, gen_random_uuid(), 't', 'k' || n / 8, 'c', 1, clock_timestamp(), 'FOLLOWER', 0
        FROM generate_series(0, 6399) AS n
        """;
    String woken = "SELECT id FROM outbox_parked WHERE due_at IS NOT NULL";
    run(followers.formatted(1));
    try (LaneStore relay = JdbcStore.create(pool).lanes("a", LEASE)) {
      for (int sweep = 0; sweep < 4; sweep++) { // on a busy machine one ends before it is through
        relay.clusters().sweep(SILENCE);
      }
      assertThat(texts(woken)).hasSize(3200);
      run("TRUNCATE outbox_parked", followers.formatted(1));
      relay.clusters().beat(SILENCE, Map.of());
      relay.clusters().leave();
      relay.clusters().comeBack();
      assertThat(relay.clusters().resume(relay.clusters().roll().since())).isTrue();
      assertThat(texts(woken)).hasSize(3200);
    }
  }

  @Test
  void a_cluster_that_has_much_to_clear_up_beats_while_it_does() throws Exception {
    run(
        """
        INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, content_type, origin, created_at, reason, attempts, due_at)
        SELECT 4, 3 * n + 1, 1, gen_random_uuid(), 't', 'c', 1, clock_timestamp(), 'FAILED', 1, clock_timestamp()
        FROM generate_series(1, 4500) AS n
        """,
        "CREATE TABLE beats (standing text)",
        "CREATE RULE noting AS ON INSERT TO outbox_beat DO ALSO INSERT INTO beats VALUES (NEW.standing)");
    try (LaneStore relay = JdbcStore.create(pool).lanes("a", LEASE)) {
      relay.clusters().beat(SILENCE, Map.of());
      relay.clusters().leave();
      relay.clusters().comeBack();
      long since = relay.clusters().roll().since();
      run("TRUNCATE beats");
      assertThat(relay.clusters().resume(since)).isTrue();
      assertThat(texts("SELECT standing FROM beats"))
          .containsExactly("RETURNING", "RETURNING", "RETURNING", "RETURNING", "WORKING");
      assertThat(relay.clusters().roll().since()).isEqualTo(since);
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

  @Test
  void dead_letters_of_another_cluster_are_not_purged_here() throws Exception {
    for (int cluster = 0; cluster < 2; cluster++) {
      run(
          """
          INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, content_type, origin, created_at, reason, attempts, died_at)
          SELECT %d, %d, 1, gen_random_uuid(), 't', 'c', 0, clock_timestamp(), 'REJECTED', 1, clock_timestamp() - INTERVAL '2 days'
          """
              .formatted(cluster, 4 * cluster));
    }
    DeadLetters dead = DeadLetters.create(JdbcStore.create(pool));
    assertThat(dead.count(10)).isEqualTo(1);
    assertThat(dead.purge(Duration.ofDays(1))).isEqualTo(1);
    assertThat(texts("SELECT cluster_id FROM outbox_dead")).containsExactly("0");
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
        ClusterView roll = relay.clusters().beat(SILENCE, Map.of());
        if (roll.clusterState() == ClusterState.RETURNING) {
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
