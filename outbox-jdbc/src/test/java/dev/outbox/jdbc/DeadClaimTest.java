package dev.outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.StoreException;
import dev.outbox.Transactions;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The fates of a claim by rows are written on its own connection or not at all. */
@Execution(ExecutionMode.CONCURRENT)
final class DeadClaimTest {
  @ParameterizedTest
  @EnumSource(names = {"POSTGRES"})
  void a_claim_whose_session_is_gone_settles_nothing(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.dataSource()).claiming(Claiming.ROWS).create();
      DataSource pool = sandbox.pool(3);
      JdbcStore store = JdbcStore.create(pool);
      Outbox outbox = Outbox.create(store);
      Transactions.run(
          pool,
          outbox,
          connection -> outbox.enqueue(connection, List.of(Message.to("t").text("1"))));
      try (RowStore rows = store.rows(Duration.ofMillis(10))) {
        RowClaim claim = rows.claim(10);
        Fate park =
            new Fate.Park(
                claim.messages().get(0), HoldReason.FAILED, 1, Duration.ofMinutes(1), "e", "h");
        sandbox.terminateSessions();
        // a session that rested longer than half of its limit is asked whether it lives
        Thread.sleep(5_100);

        assertThatThrownBy(() -> claim.settle(List.of(park)))
            .isInstanceOf(StoreException.class)
            .matches(e -> ((StoreException) e).isTransient());

        assertThat(count(sandbox, "outbox")).isEqualTo(1);
        assertThat(count(sandbox, "outbox_parked")).isZero();
        assertThat(rows.claim(10).messages()).hasSize(1);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"POSTGRES, 25P03, 0", "MARIADB, 25S03, 0", "H2, 90067, 90067"})
  void a_claim_knows_what_its_database_says_of_a_lost_connection(
      Database database, String state, int code) {
    try (Sandbox sandbox = database.sandbox()) {
      Schema.builder(sandbox.dataSource()).claiming(Claiming.ROWS).create();
      try (RowStore rows = JdbcStore.create(sandbox.dataSource()).rows(Duration.ofMinutes(1));
          RowClaim claim = rows.claim(10)) {
        assertThat(claim.isLost(new SQLException("lost", state, code))).isTrue();
        assertThat(claim.isLost(new SQLException("there is no such savepoint", "3B001"))).isFalse();
      }
    }
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
