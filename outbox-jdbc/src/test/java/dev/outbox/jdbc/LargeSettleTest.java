package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What one settle writes may be more than the server takes in one packet. */
@LooksAtWriters
final class LargeSettleTest {
  private static final int MESSAGES = 2000;
  private static final String ERROR = "\u5931".repeat(1000);
  private static final String HISTORY = "\u5931".repeat(4000);

  @ParameterizedTest
  @EnumSource(names = {"MYSQL", "MARIADB"})
  void many_long_errors_are_parked_in_one_settle(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource pool = sandbox.pool(3);
      Schema.builder(pool).create();
      JdbcStore store = JdbcStore.create(pool);
      Outbox outbox = Outbox.create(store);
      List<Message> messages =
          IntStream.range(0, MESSAGES).mapToObj(i -> Message.to("t").text("" + i)).toList();
      Transactions.run(pool, outbox, connection -> outbox.enqueue(connection, messages));
      try (LaneStore lanes = store.lanes("a", Duration.ofMinutes(1))) {
        List<LaneClaim> claims = lanes.claim(32);
        List<StoredEnvelope> ready =
            lanes.read(
                claims.stream()
                    .map(claim -> new LaneStore.Cursor(claim.lease().lane(), 0, MESSAGES))
                    .toList(),
                1L << 30);
        assertThat(ready).hasSize(MESSAGES);
        List<Settlement> settlements =
            claims.stream().map(claim -> settlement(claim, ready)).toList();
        assertThat(lanes.settle(settlements).values())
            .hasSize(claims.size())
            .allMatch(new SettleResult.Settled(Set.of(), 0)::equals);
      }
      assertThat(count(sandbox, "outbox")).isZero();
      assertThat(count(sandbox, "outbox_parked")).isEqualTo(MESSAGES);
    }
  }

  private static Settlement settlement(LaneClaim claim, List<StoredEnvelope> ready) {
    List<Fate> fates =
        ready.stream()
            .filter(storedEnvelope -> storedEnvelope.lane().equals(claim.lease().lane()))
            .<Fate>map(
                storedEnvelope ->
                    new Fate.Park(
                        storedEnvelope,
                        HoldReason.FAILED,
                        1,
                        Duration.ofMinutes(1),
                        ERROR,
                        HISTORY))
            .toList();
    return new Settlement(claim.lease(), 0, fates, Settlement.After.RENEW);
  }

  private static int count(Sandbox sandbox, String table) throws SQLException {
    try (Connection connection = sandbox.open();
        var statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      row.next();
      return row.getInt(1);
    }
  }
}
