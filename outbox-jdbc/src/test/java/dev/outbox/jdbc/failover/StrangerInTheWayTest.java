package dev.outbox.jdbc.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.LooksAtWriters;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A writer that has not committed holds the id of a message that a relay settles: the other lanes
 * do not wait for it.
 */
@LooksAtWriters
final class StrangerInTheWayTest {
  /** A locked row is waited for in a quarter of it. */
  private static final Duration LEASE = Duration.ofSeconds(40);

  private static final Duration LEASE_OF_A_SHORT_WAIT = Duration.ofSeconds(4);
  private static final long SOON = TimeUnit.SECONDS.toNanos(5);

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB"})
  void after_a_lost_connection_no_lane_waits_for_the_writer(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Connection stranger = sandbox.open()) {
      Line line = new Line(sandbox.url(), sandbox.user(), sandbox.password());
      JdbcStore store = prepared(sandbox, line.dataSource());
      try (LaneStore lanes = store.lanes("a", LEASE)) {
        List<Settlement> settlements = settlements(lanes);
        StoredEnvelope first = settlements.get(0).fates().get(0).storedEnvelope();
        giveIdTo(stranger, sandbox, first);
        line.cut();
        line.lead(sandbox.url());
        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> lanes.settle(settlements));
        assertOnlyFirstIsMissing(lanes, settlements, first);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void a_lane_that_was_waited_for_once_is_not_waited_for_again(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Connection stranger = sandbox.open()) {
      JdbcStore store = prepared(sandbox, sandbox.dataSource());
      try (LaneStore lanes = store.lanes("a", LEASE_OF_A_SHORT_WAIT)) {
        List<Settlement> settlements = settlements(lanes);
        StoredEnvelope first = settlements.get(0).fates().get(0).storedEnvelope();
        giveIdTo(stranger, sandbox, first);
        assertThatExceptionOfType(StoreException.class)
            .isThrownBy(() -> lanes.settle(settlements))
            .matches(StoreException::isOfItsRows);
        assertOnlyFirstIsMissing(lanes, settlements, first);
      }
    }
  }

  private static JdbcStore prepared(Sandbox sandbox, DataSource sessions) throws SQLException {
    DataSource pool = sandbox.dataSource();
    Schema.builder(pool).lanes(2).create();
    Outbox outbox = Outbox.create(JdbcStore.create(pool));
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      messages.add(Message.to("t").key("k" + i).text("text"));
    }
    Transactions.run(pool, outbox, connection -> outbox.enqueue(connection, messages));
    return JdbcStore.create(sessions);
  }

  private static List<Settlement> settlements(LaneStore lanes) {
    List<Settlement> settlements = new ArrayList<>();
    for (LaneClaim claim : lanes.claim(2)) {
      List<Fate> fates =
          lanes.read(List.of(new LaneStore.Cursor(claim.lease().lane(), 0, 100)), 1 << 20).stream()
              .<Fate>map(Fate.Deliver::new)
              .toList();
      assertThat(fates).isNotEmpty();
      settlements.add(new Settlement(claim.lease(), 0, fates, Settlement.After.RENEW));
    }
    assertThat(settlements).hasSize(2);
    settlements.sort(Comparator.comparing(each -> each.lease().lane()));
    return settlements;
  }

  /** The row is gone, as in an older copy, and a writer that does not commit gets its id. */
  private static void giveIdTo(Connection stranger, Sandbox sandbox, StoredEnvelope message)
      throws SQLException {
    String place = " WHERE lane = " + message.lane().number() + " AND id = " + message.id();
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("DELETE FROM outbox" + place);
    }
    stranger.setAutoCommit(false);
    try (Statement statement = stranger.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO outbox (lane, id, topic) VALUES (%d, %d, 't')"
              .formatted(message.lane().number(), message.id()));
    }
  }

  private static void assertOnlyFirstIsMissing(
      LaneStore lanes, List<Settlement> settlements, StoredEnvelope first) {
    long begun = System.nanoTime();
    Map<?, SettleResult> settleResults = lanes.settle(settlements);
    assertThat(System.nanoTime() - begun).isLessThan(SOON);
    for (Settlement settlement : settlements) {
      boolean isFirst = settlement.lease().lane().equals(first.lane());
      SettleResult.Settled settled =
          (SettleResult.Settled) settleResults.get(settlement.lease().lane());
      assertThat(settled.missing()).isEqualTo(isFirst ? 1 : 0);
    }
  }
}
