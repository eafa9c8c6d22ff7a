package dev.outbox.jdbc.mistakes;

import static dev.outbox.jdbc.mistakes.Making.MESSAGE;
import static dev.outbox.jdbc.mistakes.Making.PUBLISHER;
import static dev.outbox.jdbc.mistakes.Making.closedTooLate;
import static dev.outbox.jdbc.mistakes.Making.enqueue;
import static dev.outbox.jdbc.mistakes.Making.logged;
import static dev.outbox.jdbc.mistakes.Making.outbox;
import static dev.outbox.jdbc.mistakes.Making.run;
import static dev.outbox.jdbc.mistakes.Making.store;
import static dev.outbox.jdbc.mistakes.Making.stranger;
import static dev.outbox.jdbc.mistakes.Making.thrown;
import static dev.outbox.jdbc.mistakes.Making.transaction;
import static dev.outbox.jdbc.mistakes.Mistake.on;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Claiming;
import dev.outbox.Outbox;
import dev.outbox.OutboxException.Finding;
import dev.outbox.Relay;
import dev.outbox.Topics;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.PostgresWakeup;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Usage.Role;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What is not right with a database, a connection or a pool. */
final class DatabaseMistakes {
  private DatabaseMistakes() {}

  static List<Mistake> all() {
    return List.of(
        on(Database.POSTGRES, "An earlier statement failed", DatabaseMistakes::afterAFailure),
        on(
            Database.H2,
            "No tables",
            sandbox -> thrown(() -> JdbcStore.create(sandbox.dataSource()))),
        on(Database.H2, "Another table prefix", DatabaseMistakes::otherPrefix),
        on(Database.H2, "Another database of the same product", DatabaseMistakes::elsewhere),
        on(
            Database.H2,
            "A writer without grants",
            sandbox -> {
              Outbox outbox = outbox(sandbox);
              try (Connection connection = stranger(sandbox)) {
                connection.setAutoCommit(false);
                return thrown(() -> outbox.enqueue(connection, MESSAGE));
              }
            }),
        on(
            Database.H2,
            "Another number of lanes",
            sandbox -> {
              store(sandbox);
              return thrown(() -> Schema.builder(sandbox.dataSource()).lanes(64).create());
            }),
        on(
            Database.POSTGRES,
            "A table of another program",
            sandbox -> {
              try (Connection connection = sandbox.open()) {
                run(connection, "CREATE TABLE outbox (id bigint PRIMARY KEY, event text)");
              }
              return thrown(() -> Schema.builder(sandbox.dataSource()).create());
            }),
        on(
            Database.H2,
            "A schema that is not there",
            sandbox ->
                thrown(() -> Schema.builder(sandbox.dataSource()).schema("nowhere").create())),
        on(
            Database.POSTGRES,
            "A read only transaction",
            sandbox -> {
              Outbox outbox = outbox(sandbox);
              try (Connection connection = sandbox.open()) {
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
                return thrown(() -> outbox.enqueue(connection, MESSAGE));
              }
            }),
        on(
            Database.POSTGRES,
            "A read only transaction of the server",
            sandbox -> startedReadOnly(sandbox, "SET TRANSACTION READ ONLY")),
        on(
            Database.MYSQL,
            "A read only transaction on MySQL",
            sandbox -> startedReadOnly(sandbox, "START TRANSACTION READ ONLY")),
        on(Database.POSTGRES, "A pool that the relay empties", DatabaseMistakes::emptiedPool),
        on(
            Database.POSTGRES,
            "A pool too small for its workers",
            sandbox -> {
              Schema.builder(sandbox.dataSource()).claiming(Claiming.ROWS).create();
              JdbcStore store = JdbcStore.create(sandbox.pool(2));
              return thrown(() -> Relay.builder(store, PUBLISHER).start());
            }),
        on(
            Database.POSTGRES,
            "A pool closed before its relay",
            sandbox -> {
              store(sandbox);
              return closedTooLate(sandbox)
                  .lines()
                  .filter(line -> line.contains("pool is closed"))
                  .map(line -> line.substring(line.indexOf("relay=")))
                  .findFirst()
                  .orElseThrow();
            }),
        on(
            Database.POSTGRES,
            "A store whose pool is closed",
            sandbox -> {
              store(sandbox);
              HikariDataSource pool = (HikariDataSource) sandbox.pool(2);
              JdbcStore store = JdbcStore.create(pool);
              pool.close();
              return thrown(() -> Relay.builder(store, PUBLISHER).start());
            }),
        on(Database.POSTGRES, "A database that does not run", sandbox -> notRunning()),
        on(Database.H2, "A wrong password", DatabaseMistakes::wrongPassword),
        on(
            Database.H2,
            "A table prefix with a hyphen",
            sandbox ->
                thrown(
                    () -> Schema.builder(sandbox.dataSource()).tablePrefix("my-outbox").create())),
        on(
            Database.H2,
            "Tables made again under a running application",
            DatabaseMistakes::madeAgain),
        on(
            Database.H2,
            "A wake-up of PostgreSQL elsewhere",
            sandbox -> {
              store(sandbox);
              return thrown(
                  () ->
                      JdbcStore.builder(sandbox.dataSource())
                          .wakeup(PostgresWakeup.create(sandbox.dataSource()))
                          .build());
            }),
        on(
            Database.H2,
            "A misspelt topic",
            sandbox -> {
              JdbcStore store = store(sandbox);
              enqueue(sandbox, store, MESSAGE);
              return logged("topic=ordes", () -> Topics.create(store).pause("ordes"));
            }));
  }

  private static String afterAFailure(Sandbox sandbox) throws SQLException {
    Outbox outbox = outbox(sandbox);
    try (Connection connection = transaction(sandbox.dataSource())) {
      run(connection, "SELECT * FROM nothing");
      return thrown(() -> outbox.enqueue(connection, MESSAGE));
    }
  }

  private static String otherPrefix(Sandbox sandbox) {
    store(sandbox);
    return thrown(
        () -> JdbcStore.builder(sandbox.dataSource()).tablePrefix("orders_outbox").build());
  }

  private static String elsewhere(Sandbox sandbox) throws SQLException {
    Outbox outbox = outbox(sandbox);
    try (Connection elsewhere = DriverManager.getConnection("jdbc:h2:mem:")) {
      elsewhere.setAutoCommit(false);
      return thrown(() -> outbox.enqueue(elsewhere, MESSAGE));
    }
  }

  private static String startedReadOnly(Sandbox sandbox, String statement) throws SQLException {
    Outbox outbox = outbox(sandbox);
    try (Connection connection = transaction(sandbox.dataSource())) {
      run(connection, statement);
      return thrown(() -> outbox.enqueue(connection, MESSAGE));
    }
  }

  private static String emptiedPool(Sandbox sandbox) {
    store(sandbox);
    Usage usage = new Usage(Role.RELAY, Claiming.LANES, 2, Duration.ofSeconds(15));
    return JdbcStore.create(sandbox.pool(2)).examine(usage).stream()
        .map(Finding::toString)
        .collect(Collectors.joining());
  }

  private static String notRunning() {
    PGSimpleDataSource nowhere = new PGSimpleDataSource();
    nowhere.setPortNumbers(new int[] {1});
    return thrown(() -> JdbcStore.create(nowhere));
  }

  private static String wrongPassword(Sandbox sandbox) {
    JdbcDataSource other = new JdbcDataSource();
    other.setURL(sandbox.url());
    other.setUser(sandbox.user());
    other.setPassword("wrong");
    return thrown(() -> JdbcStore.create(other));
  }

  private static String madeAgain(Sandbox sandbox) throws SQLException {
    JdbcStore before = store(sandbox);
    try (Connection connection = sandbox.open()) {
      run(connection, "DROP ALL OBJECTS");
    }
    store(sandbox, tables -> tables.lanes(8));
    return thrown(() -> Relay.builder(before, PUBLISHER).start());
  }
}
