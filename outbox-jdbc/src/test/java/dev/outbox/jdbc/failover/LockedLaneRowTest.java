package dev.outbox.jdbc.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.Transactions;
import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.proof.Await;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A session that somebody left open keeps the row of a lane locked, past the time at which the
 * relay renews it: its messages wait, those of the other lanes do not.
 */
@LooksAtWriters
final class LockedLaneRowTest {
  private static final int LANES = 4;
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES", "MYSQL", "MARIADB"})
  void only_the_messages_of_that_lane_wait_until_the_row_is_free(Database database)
      throws Exception {
    lockFirstLane(database, Clusters.ONE);
  }

  /** A cluster's signs of life are written under the lock of its first lane's row. */
  @ParameterizedTest
  @EnumSource(names = {"H2", "POSTGRES"})
  void so_it_is_among_several_clusters(Database database) throws Exception {
    lockFirstLane(database, new Clusters(3, 1, LEASE.multipliedBy(5)));
  }

  private static void lockFirstLane(Database database, Clusters clusters) throws Exception {
    int first = clusters.id() * LANES;
    try (Sandbox sandbox = database.sandbox();
        Connection stranger = sandbox.open()) {
      DataSource pool = sandbox.pool(6);
      Schema.builder(pool).lanes(LANES).clusters(clusters).create();
      JdbcStore store = JdbcStore.create(pool);
      Outbox outbox = Outbox.create(store);
      try (Relay relay =
          Relay.builder(store, new Acknowledging())
              .lease(LEASE, LEASE.dividedBy(4))
              .clusters(clusters)
              .closeDeadline(Duration.ofSeconds(10))
              .start()) {
        Await.until("all lanes are leased", PATIENCE, () -> relay.status().lanes().size() == LANES);
        lockLane(stranger, first);
        Await.until("a renewal is missing", PATIENCE, () -> isOverdue(relay.status().leaseAge()));
        long end = System.nanoTime() + LEASE.toNanos();
        for (int round = 1; round <= 3 || System.nanoTime() < end; round++) {
          enqueue(pool, outbox);
          Await.until(
              "the other lanes are empty in round " + round,
              PATIENCE,
              () -> left(pool, "lane <> " + first) == 0);
        }
        assertThat(left(pool, "lane = " + first)).isPositive();
        assertThat(locked(store, relay.status().name())).containsExactly(new Lane(first));
        assertThat(locked(store, "b")).as("those of another relay").isEmpty();
        stranger.rollback();
        assertThat(locked(store, relay.status().name())).isEmpty();
        Await.until("nothing is left", PATIENCE, () -> left(pool, "lane >= 0") == 0);
      }
    }
  }

  private static Set<Lane> locked(JdbcStore store, String relay) {
    try (LaneStore lanes = store.lanes(relay, LEASE)) {
      return lanes.locked();
    }
  }

  /** Takes everything. */
  private static final class Acknowledging implements Publisher {
    @Override
    public void publish(Flight flight) {
      for (Envelope envelope : flight.envelopes()) {
        flight.ack(envelope, Ack.delivered());
      }
    }
  }

  private static boolean isOverdue(@Nullable Duration leaseAge) {
    return leaseAge != null && leaseAge.compareTo(LEASE.dividedBy(2)) > 0;
  }

  private static void lockLane(Connection stranger, int lane) throws SQLException {
    stranger.setAutoCommit(false);
    try (Statement statement = stranger.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT * FROM outbox_lane WHERE lane = " + lane + " FOR UPDATE")) {
      assertThat(row.next()).isTrue();
    }
  }

  private static void enqueue(DataSource pool, Outbox outbox) throws SQLException {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      messages.add(Message.to("t").key("k" + i).text("text"));
    }
    Transactions.run(pool, outbox, connection -> outbox.enqueue(connection, messages));
  }

  private static long left(DataSource pool, String where) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM outbox WHERE " + where)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
