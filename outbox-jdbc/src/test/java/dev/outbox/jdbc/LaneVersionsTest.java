package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What settles leave behind in the table of lanes, where an old snapshot keeps every version. */
final class LaneVersionsTest {
  @Test
  void a_settle_that_lets_the_lease_run_on_writes_no_version_of_its_lane() throws Exception {
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      DataSource pool = sandbox.pool(3);
      Schema.builder(pool).lanes(1).create();
      JdbcStore store = JdbcStore.create(pool);
      Outbox outbox = Outbox.create(store);
      try (LaneStore lanes = store.lanes("a", Duration.ofMinutes(1))) {
        Lease lease = lanes.claim(1).get(0).lease();
        String claimed = version(sandbox);
        for (int i = 0; i < 20; i++) {
          settle(lanes, lease, enqueued(pool, outbox, lanes), Settlement.After.RUN_ON);
        }
        assertThat(version(sandbox)).isEqualTo(claimed);

        settle(lanes, lease, List.of(), Settlement.After.RENEW);
        assertThat(version(sandbox)).as("renewed").isNotEqualTo(claimed);
      }
    }
  }

  private static List<Fate> enqueued(DataSource pool, Outbox outbox, LaneStore lanes)
      throws SQLException {
    Message message = Message.to("t").text("");
    Transactions.run(pool, outbox, connection -> outbox.enqueue(connection, List.of(message)));
    List<StoredEnvelope> ready =
        lanes.read(List.of(new LaneStore.Cursor(new Lane(0), 0, 10)), 1 << 20);
    assertThat(ready).hasSize(1);
    return List.of(new Fate.Deliver(ready.get(0)));
  }

  private static void settle(
      LaneStore lanes, Lease lease, List<Fate> fates, Settlement.After after) {
    assertThat(lanes.settle(List.of(new Settlement(lease, 0, fates, after))).values())
        .containsExactly(new SettleResult.Settled(Set.of(), 0));
  }

  private static String version(Sandbox sandbox) throws SQLException {
    try (Connection connection = sandbox.open();
        var statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT ctid FROM outbox_lane")) {
      row.next();
      return row.getString(1);
    }
  }
}
