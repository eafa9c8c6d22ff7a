package dev.outbox.jdbc.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.OutboxException.Finding;
import dev.outbox.Transactions;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.jdbc.TamperedDataSource;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.Usage.Role;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A row that plain SQL wrote into a lane that does not exist costs no other message. */
final class StrayRowTest {
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final String STRAY = "INSERT INTO outbox (lane, topic) VALUES (%d, 'lost')";

  private static void enqueue(DataSource dataSource, int count) throws SQLException {
    Outbox outbox = Outbox.create(JdbcStore.create(dataSource));
    List<Message> messages = Collections.nCopies(count, Message.to("t").text("x"));
    Transactions.run(dataSource, outbox, connection -> outbox.enqueue(connection, messages));
  }

  private static void run(Sandbox sandbox, String sql) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private static int ready(Sandbox sandbox) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM outbox")) {
      row.next();
      return row.getInt(1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"POSTGRES", "MYSQL", "MARIADB", "H2"})
  void workers_leave_it_where_it_is_and_the_doctor_tells(Database database) throws Exception {
    try (Sandbox sandbox = database.sandbox()) {
      DataSource dataSource = sandbox.pool();
      Schema.builder(dataSource).claiming(Claiming.ROWS).create();
      enqueue(dataSource, 20);
      run(sandbox, STRAY.formatted(-1));
      run(sandbox, STRAY.formatted(1));
      JdbcStore store = JdbcStore.create(dataSource);
      try (RowStore worker = store.rows(LONGEST)) {
        try (RowClaim claim = worker.claim(100)) {
          assertThat(claim.messages()).hasSize(20);
        }
        assertThat(ready(sandbox)).isEqualTo(22);
      }
      assertThat(store.examine(Clinic.need(Role.RELAY)))
          .filteredOn(finding -> finding.code().equals("lane-unknown"))
          .extracting(Finding::text)
          .hasSize(1)
          .allMatch(text -> text.contains("lanes -1 to 1"));
    }
  }

  /** As if the claim took every lane. */
  @Test
  void a_claim_that_cannot_be_read_is_rolled_back() throws Exception {
    try (Sandbox sandbox = Database.H2.sandbox()) {
      Schema.builder(sandbox.pool()).claiming(Claiming.ROWS).create();
      enqueue(sandbox.pool(), 20);
      run(sandbox, STRAY.formatted(-1));
      try (RowStore worker = JdbcStore.create(ofEveryLane(sandbox)).rows(LONGEST)) {
        assertThatThrownBy(() -> worker.claim(100)).hasMessageContaining("-1");
        assertThat(worker.topics()).isEmpty();
      }
      assertThat(ready(sandbox)).isEqualTo(21);
    }
  }

  private static DataSource ofEveryLane(Sandbox sandbox) {
    return new TamperedDataSource(
        sandbox.pool(),
        (connection, method, arguments) -> {
          if (method.getName().equals("prepareStatement")
              && arguments[0] instanceof String text
              && text.contains("SKIP LOCKED")) {
            arguments[0] = text.replace("o.lane = 0", "o.lane <= 0");
          }
          return TamperedDataSource.passed(connection, method, arguments);
        });
  }
}
