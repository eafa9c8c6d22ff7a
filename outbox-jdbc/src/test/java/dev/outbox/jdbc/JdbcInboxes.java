package dev.outbox.jdbc;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.OracleDialect;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.ReceiptStore;
import dev.outbox.tck.InboxEnvironment;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * The receipts of one contract class, in its own sandbox without any table of an outbox, emptied
 * between cases.
 */
final class JdbcInboxes implements AutoCloseable {
  private final Sandbox sandbox;
  private final DataSource consumers;
  private final ReceiptStore receipts;
  private final String minus;

  private JdbcInboxes(Sandbox sandbox, DataSource consumers, ReceiptStore receipts, String minus) {
    this.sandbox = sandbox;
    this.consumers = consumers;
    this.receipts = receipts;
    this.minus = minus;
  }

  static JdbcInboxes on(Database database) {
    Sandbox sandbox = database.sandbox();
    DataSource consumers = sandbox.pool(20);
    Schema.builder(consumers).only(Schema.Part.RECEIPT).create();
    return new JdbcInboxes(
        sandbox, consumers, JdbcInbox.create(consumers), "- INTERVAL '%d' SECOND");
  }

  /** Oracle's text on H2. */
  static JdbcInboxes onOracleText() throws SQLException {
    Sandbox sandbox = Database.H2_ORACLE.sandbox();
    DataSource consumers = sandbox.pool(20);
    Dialect oracle = new OracleDialect();
    OracleStores.run(consumers, OracleStores.ALIASES);
    OracleStores.createOnH2(
        consumers, Schema.builder(consumers).dialect(oracle).only(Schema.Part.RECEIPT).build());
    return new JdbcInboxes(
        sandbox,
        consumers,
        JdbcInbox.builder(consumers).dialect(oracle).build(),
        "- NUMTODSINTERVAL(%d, 'SECOND')");
  }

  /** Empty receipts for one case. */
  InboxEnvironment open() throws SQLException {
    run("DELETE FROM outbox_receipt");
    return new Environment();
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = consumers.getConnection();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Override
  public void close() {
    sandbox.close();
  }

  private final class Environment implements InboxEnvironment {
    @Override
    public ReceiptStore receipts() {
      return receipts;
    }

    @Override
    public DataSource consumers() {
      return consumers;
    }

    // in portions: H2 and Oracle know no interval of that many seconds
    @Override
    public void passTime(Duration step) throws SQLException {
      int sign = step.isNegative() ? -1 : 1;
      for (long left = step.abs().toSeconds(); left > 0; left -= 86_400) {
        String shift = minus.formatted(sign * Math.min(left, 86_400));
        run("UPDATE outbox_receipt SET expires_at = expires_at " + shift);
      }
    }

    @Override
    public long deadlocks() {
      Database database = sandbox.server().database();
      return database == Database.H2 || database == Database.H2_ORACLE
          ? 0
          : sandbox.server().deadlocks();
    }

    /** The sandbox stays for the next case. */
    @Override
    public void close() {}
  }
}
