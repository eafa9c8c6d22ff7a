package dev.outbox.console;

import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import java.io.BufferedReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures what an open page costs a PostgreSQL in which that many messages wait and so many are
 * dead, and in Chromium how fast it shows them: messages, rounds, and dead letters, else a tenth as
 * many. In Chromium a relay owns the lanes, and its broker is down.
 */
public final class LargeStore {
  private static final List<String> SEARCHES =
      List.of(
          "dead?error=timed",
          "dead?error=nothing+has+this",
          "dead?topic=topic-7&key=k7",
          "letter?number=9");
  private static final String WAITING =
      """
      INSERT INTO outbox (lane, id, topic, msg_key, payload, origin)
      SELECT n %% 32, n, 'topic-' || n %% 20, 'k' || n %% 1000, decode(repeat('00', 200), 'hex'), 0
      FROM generate_series(1, %d) AS n
      """;
  private static final String DEAD =
      """
      INSERT INTO outbox_dead (lane, id, message_id, topic, msg_key, content_type, payload, origin,
        created_at, reason, attempts, last_error)
      SELECT n %% 32, n, gen_random_uuid(), 'topic-' || n %% 20, 'k' || n %% 1000,
        'application/json', decode(repeat('00', 200), 'hex'), 0, clock_timestamp(), 'EXHAUSTED', 10,
        CASE n %% 50 WHEN 0 THEN 'Read timed out' ELSE 'no such customer' END
      FROM generate_series(1, %d) AS n
      """;

  private static final String SPENT =
      """
      SELECT SUM(calls), SUM(total_exec_time)
      FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'
      """;
  private static final int WATCHED_SECONDS = 20;

  private final JdbcStore store;
  private final int rounds;

  private LargeStore(JdbcStore store, int rounds) {
    this.store = store;
    this.rounds = rounds;
  }

  public static void main(String[] args) throws Exception {
    int waiting = Integer.parseInt(args[0]);
    int dead = args.length > 2 ? Integer.parseInt(args[2]) : waiting / 10;
    DatabaseServer server = DatabaseServer.postgres("shared_preload_libraries=pg_stat_statements");
    try (Sandbox sandbox = server.sandbox();
        Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE EXTENSION pg_stat_statements");
      Schema.builder(sandbox.dataSource()).create();
      watch(sandbox, statement, "at rest");
      statement.execute(WAITING.formatted(waiting));
      statement.execute(DEAD.formatted(dead));
      watch(sandbox, statement, waiting + " just written");
      JdbcStore store = JdbcStore.create(sandbox.pool(12));
      LargeStore measured = new LargeStore(store, Integer.parseInt(args[1]));
      InMemoryBroker broker = InMemoryBroker.create();
      broker.down();
      try (Relay relay = Relay.builder(store, broker.publisher()).start()) {
        String behind = waiting + " waiting behind " + relay.name();
        measured.show(behind + ", just written");
        statement.execute("VACUUM ANALYZE outbox, outbox_dead");
        measured.show(behind + ", vacuumed");
      }
      watch(sandbox, statement, waiting + " vacuumed");
    } finally {
      server.stop();
    }
  }

  /** A page is open; the first look has what every connection begins with, and is not counted. */
  private static void watch(Sandbox sandbox, Statement statement, String state) throws Exception {
    try (OutboxConsole console = OutboxConsole.builder(JdbcStore.create(sandbox.pool(2))).start();
        BufferedReader events = new Browser(console).watch()) {
      Browser.event(events);
      Thread.sleep(500);
      statement.execute("SELECT pg_stat_statements_reset()");
      Thread.sleep(WATCHED_SECONDS * 1000L);
      try (ResultSet row = statement.executeQuery(SPENT)) {
        row.next();
        System.out.printf(
            "open page, %s: %.0f statements and %.0f ms of the server a minute%n",
            state,
            row.getDouble(1) * 60 / WATCHED_SECONDS,
            row.getDouble(2) * 60 / WATCHED_SECONDS);
      }
    }
  }

  private void show(String state) throws Exception {
    Map<String, List<Long>> found = new TreeMap<>();
    for (int round = 0; round < rounds; round++) {
      try (OutboxConsole console = OutboxConsole.builder(store).operate().start();
          Chromium chromium = Chromium.start()) {
        chromium.open(console.url());
        add(found, "first paint, of a browser that has just started", chromium.firstPaint());
        chromium.open(console.url());
        add(found, "first paint", chromium.firstPaint());
        for (String view : Chromium.VIEWS) {
          add(found, view, chromium.go(view));
        }
        for (String search : SEARCHES) {
          add(found, search, chromium.go(search));
        }
        chromium.picture("large-overview");
      }
    }
    System.out.println("console, " + state + ": median and longest of " + rounds + ", in ms");
    found.forEach(
        (view, times) -> {
          List<Long> sorted = times.stream().sorted().toList();
          System.out.printf(
              "  %-50s %d, %d%n", view, sorted.get(rounds / 2), sorted.get(rounds - 1));
        });
  }

  private static void add(Map<String, List<Long>> found, String view, long time) {
    found.computeIfAbsent(view, any -> new ArrayList<>()).add(time);
  }
}
