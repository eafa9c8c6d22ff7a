package dev.outbox.benchmarks.workload;

import dev.outbox.Outbox;
import dev.outbox.benchmarks.Setting;
import dev.outbox.benchmarks.report.Report;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * How many bytes a waiting message takes in the ready table, and how many its enqueue writes to the
 * database's log: with a payload of 2 KiB that does not compress, and with a reference to it.
 */
final class Bytes implements Workload {
  private static final int AT_A_TIME = 100;
  private static final int PAYLOAD = 2048;

  private final Random random = new Random(1);

  @Override
  public void run(Setting setting, Report report) throws Exception {
    int count = setting.quick() ? 2_000 : 50_000;
    Weight inline = weigh(setting.database(), count, number -> draft(number).bytes(payload()));
    Weight reference =
        weigh(
            setting.database(),
            count,
            number -> draft(number).reference("mail_deliveries", 1_000_000 + number));
    System.out.printf(
        "bytes %s: inline %d in the table, %d in the log; reference %d in the table, %d in the log%n",
        setting.database(), inline.table(), inline.log(), reference.table(), reference.log());
    System.out.printf(
        "ratio bytes %s inline/reference %.1f in the table, %.1f in the log%n",
        setting.database(),
        (double) inline.table() / reference.table(),
        (double) inline.log() / reference.log());
  }

  /** Bytes for each message. */
  private record Weight(long table, long log) {}

  private static Message.Draft draft(int number) {
    return Message.to("mails.requested").key("customer-" + number % 1000);
  }

  private byte[] payload() {
    byte[] bytes = new byte[PAYLOAD];
    random.nextBytes(bytes);
    return bytes;
  }

  private static Weight weigh(Database database, int count, IntFunction<Message> message)
      throws Exception {
    try (Sandbox sandbox = database.sandbox();
        Connection connection = sandbox.open()) {
      Schema.builder(sandbox.dataSource()).create();
      Outbox outbox = Outbox.create(JdbcStore.create(sandbox.dataSource()));
      connection.setAutoCommit(false);
      long logBefore = logBytes(database, connection);
      for (int from = 0; from < count; from += AT_A_TIME) {
        List<Message> messages = new ArrayList<>();
        for (int number = from; number < from + AT_A_TIME; number++) {
          messages.add(message.apply(number));
        }
        outbox.enqueue(connection, messages);
        connection.commit();
      }
      long log = logBytes(database, connection) - logBefore;
      return new Weight(tableBytes(database, connection) / count, log / count);
    }
  }

  private static long logBytes(Database database, Connection connection) throws SQLException {
    return switch (database) {
      case POSTGRES -> number(connection, "SELECT pg_current_wal_insert_lsn() - '0/0'", 1);
      case MYSQL, MARIADB ->
          number(connection, "SHOW GLOBAL STATUS LIKE 'Innodb_os_log_written'", 2);
      default -> 0;
    };
  }

  private static long tableBytes(Database database, Connection connection) throws SQLException {
    return switch (database) {
      case POSTGRES -> number(connection, "SELECT pg_total_relation_size('outbox')", 1);
      case MYSQL, MARIADB -> {
        analyze(connection);
        yield number(
            connection,
            "SELECT data_length + index_length FROM information_schema.tables"
                + " WHERE table_schema = database() AND table_name = 'outbox'",
            1);
      }
      default -> throw new IllegalArgumentException("no size of a table is known on " + database);
    };
  }

  private static void analyze(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ANALYZE TABLE outbox");
    }
  }

  private static long number(Connection connection, String query, int column) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(column);
    }
  }
}
