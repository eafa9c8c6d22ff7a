package dev.outbox.jdbc.proof;

import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements that the server itself counts in one sandbox, by text, without those that only
 * begin, end or set up transactions. On PostgreSQL it reads the server's log, so only a server that
 * this JVM started can be asked, and only sessions that begin after {@link #open} are heard.
 *
 * <p>Used by one thread.
 */
final class StatementLog implements AutoCloseable {
  private static final Pattern CONTROL =
      Pattern.compile(
          "(BEGIN|COMMIT|ROLLBACK|START TRANSACTION|SET (autocommit|SESSION TRANSACTION|TRANSACTION|SESSION CHARACTERISTICS)"
              + "|SET AUTOCOMMIT|SELECT 1$|SELECT @@session.transaction_|/\\* ping).*",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern POSTGRES_LINE =
      Pattern.compile(
          "^\\S+ \\S+ \\S+ \\[\\d+\\] (\\S*) LOG:  (?:statement|execute [^:]+): (.*(?:\n\t.*)*)",
          Pattern.MULTILINE);

  private final Sandbox sandbox;
  private final Connection admin;
  private int logged;

  private StatementLog(Sandbox sandbox, Connection admin) {
    this.sandbox = sandbox;
    this.admin = admin;
  }

  static StatementLog open(Sandbox sandbox) throws SQLException {
    StatementLog log = new StatementLog(sandbox, sandbox.openAdmin());
    if (log.database() == Database.POSTGRES) {
      log.run("ALTER DATABASE " + sandbox.name() + " SET log_statement = 'all'");
    }
    return log;
  }

  private Database database() {
    return sandbox.server().database();
  }

  /** Forgets what was before. */
  void begin() throws SQLException {
    switch (database()) {
      case POSTGRES -> logged = serverLog().length();
      case MYSQL, MARIADB -> {
        run("SET GLOBAL log_output = 'TABLE'");
        run("TRUNCATE TABLE mysql.general_log");
        run("SET GLOBAL general_log = ON");
      }
      default -> {
        run("SET QUERY_STATISTICS FALSE");
        run("SET QUERY_STATISTICS TRUE");
      }
    }
  }

  /** How often each text was executed since {@link #begin}. */
  Map<String, Integer> end() throws SQLException {
    return switch (database()) {
      case POSTGRES -> postgres();
      case MYSQL, MARIADB -> mysql();
      default -> h2();
    };
  }

  private String serverLog() {
    return sandbox
        .server()
        .log()
        .orElseThrow(() -> new IllegalStateException("no log of " + sandbox.server().source()));
  }

  private Map<String, Integer> postgres() {
    Map<String, Integer> counts = new TreeMap<>();
    Matcher lines = POSTGRES_LINE.matcher(serverLog().substring(logged));
    while (lines.find()) {
      if (lines.group(1).equals(sandbox.name())) {
        count(counts, lines.group(2), 1);
      }
    }
    return counts;
  }

  private Map<String, Integer> mysql() throws SQLException {
    run("SET GLOBAL general_log = OFF");
    Map<String, Integer> counts = new TreeMap<>();
    List<String> texts =
        ServerEye.column(
            admin,
            """
            SELECT CONVERT(argument USING utf8mb4)
            FROM mysql.general_log
            WHERE command_type IN ('Query', 'Execute')
              AND thread_id IN (SELECT id FROM information_schema.processlist WHERE db = '%s')
            """
                .formatted(sandbox.name()));
    texts.forEach(text -> count(counts, text, 1));
    return counts;
  }

  private Map<String, Integer> h2() throws SQLException {
    Map<String, Integer> counts = new TreeMap<>();
    try (Statement statement = admin.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT sql_statement, execution_count FROM information_schema.query_statistics")) {
      while (rows.next()) {
        if (!rows.getString(1).contains("QUERY_STATISTICS")) {
          count(counts, rows.getString(1), rows.getInt(2));
        }
      }
    }
    return counts;
  }

  /** Values differ, texts count; a text is told in one line. */
  private static void count(Map<String, Integer> counts, String text, int times) {
    String line = text.strip().replaceAll("\\s+", " ").replaceAll("'[^']*'", "?");
    if (!CONTROL.matcher(line).matches()) {
      counts.merge(line.replaceAll("\\b\\d+\\b", "?"), times, Integer::sum);
    }
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = admin.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    try (admin) {
      if (database() == Database.MYSQL || database() == Database.MARIADB) {
        run("SET GLOBAL general_log = OFF");
      }
    }
  }
}
