package dev.outbox.jdbc.failover;

import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** What operators do to outbox tables and the ledger. Immutable. */
record Tables(Sandbox sandbox, Plan plan) {
  private static final List<String> OF_MESSAGES =
      List.of(
          "proof_ledger",
          "outbox",
          "outbox_lane",
          "outbox_parked",
          "outbox_delayed",
          "outbox_dead",
          "outbox_archive");
  private static final List<String> OTHERS = List.of("outbox_meta", "outbox_relay", "outbox_topic");

  /** What an operator does while nobody is connected. */
  interface Work {
    void run() throws Exception;
  }

  private List<String> ofMessages() {
    return OF_MESSAGES.stream()
        .filter(table -> plan.taken() || !table.equals("outbox_archive"))
        .toList();
  }

  long firstId() throws SQLException {
    return new Contents(sandbox.dataSource()).number("SELECT MIN(id) FROM outbox");
  }

  void run(String... statements) throws SQLException {
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Ends all sessions, and lets nobody connect until {@code work} is done. */
  void cutOff(Site site, Work work) throws Exception {
    site.line().cut();
    sandbox.terminateSessions();
    work.run();
    site.line().lead(sandbox.url());
  }

  void nextId(long id) throws SQLException {
    run(
        isMySql()
            ? "ALTER TABLE outbox AUTO_INCREMENT = " + id
            : "ALTER TABLE outbox ALTER COLUMN id RESTART WITH " + id);
  }

  /** Nobody speaks any more of messages with these numbers. */
  void forgetFrom(long number) throws SQLException {
    run("DELETE FROM proof_ledger WHERE seq >= " + number);
  }

  void copy() throws SQLException {
    for (String table : ofMessages()) {
      run("CREATE TABLE copy_%s AS SELECT * FROM %s".formatted(table, table));
    }
  }

  void putBack() throws SQLException {
    for (String table : ofMessages()) {
      run("TRUNCATE TABLE " + table);
      insertCopy(table);
    }
  }

  private void insertCopy(String table) throws SQLException {
    run("INSERT INTO %s SELECT * FROM copy_%s".formatted(table, table));
  }

  /** Row claims keep their transactions open while they publish, which a TRUNCATE waits for. */
  void truncate(Site site, boolean idsBeginAnew) throws Exception {
    String sql = "TRUNCATE TABLE outbox";
    String kind = idsBeginAnew ? " RESTART IDENTITY" : " CONTINUE IDENTITY";
    Work work =
        () -> {
          run(isMySql() ? sql : sql + kind);
          forgetFrom(site.firstInFlight());
        };
    if (plan.isByRows()) {
      cutOff(site, work);
    } else {
      work.run();
    }
  }

  void makeAnew(Site site) throws SQLException {
    for (String table : Stream.concat(ofMessages().stream(), OTHERS.stream()).toList()) {
      run("DROP TABLE " + table);
    }
    site.createTables(sandbox.dataSource());
  }

  void makeAnewWithCopy(Site site) throws SQLException {
    makeAnew(site);
    run("DELETE FROM outbox_lane");
    for (String table : ofMessages()) {
      insertCopy(table);
    }
  }

  private boolean isMySql() {
    Database database = sandbox.server().database();
    return database == Database.MYSQL || database == Database.MARIADB;
  }
}
