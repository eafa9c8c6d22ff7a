package dev.outbox.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page says of a database in which nobody writes messages. */
class QuietTableTest {
  @TempDir private Path folder;

  @Test
  void the_reader_goes_on_in_the_log_though_nothing_in_it_is_for_it() throws Exception {
    try (Captured captured = Captured.on(Database.POSTGRES);
        Sandbox other = captured.sandbox().server().sandbox()) {
      captured.run("postgresql.sql");
      Properties settings = captured.connector(folder, "message");
      settings.setProperty("heartbeat.interval.ms", "500");
      try (Engine engine = Engine.start(settings)) {
        captured.execute("INSERT INTO outbox (lane, topic, payload) VALUES (1, 'first', 'x')");
        engine.await(each -> each.topic().equals("first"));
        captured.execute("DELETE FROM outbox");
        awaitRead(captured, "after a purge");
        try (Connection connection = other.open();
            Statement statement = connection.createStatement()) {
          statement.execute("CREATE TABLE busy AS SELECT generate_series(1, 100000) AS number");
        }
        awaitRead(captured, "after another database was written to");
      }
      captured.execute("INSERT INTO outbox (lane, topic, payload) VALUES (1, 'second', 'x')");
      try (Engine again = Engine.start(settings)) {
        again.await(each -> each.topic().equals("second"));
      }
    }
  }

  private static void awaitRead(Captured captured, String when) throws Exception {
    String position = text(captured, "SELECT pg_current_wal_insert_lsn()");
    String asked =
        Captured.text("from-capture-2.sql")
            .replaceAll("--.*\n|;", "")
            .replace(":position", "'" + position + "'")
            .replace("'outbox'", "'" + captured.slot() + "'");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!text(captured, asked).equals("t")) {
      assertThat(System.nanoTime()).as(when).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static String text(Captured captured, String question) throws SQLException {
    try (Connection connection = captured.sandbox().open();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(question)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }
}
