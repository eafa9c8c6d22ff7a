package dev.outbox.console;

import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures in Chromium how fast the page shows a PostgreSQL in which that many messages wait and a
 * tenth as many are dead: messages, rounds. A relay owns the lanes, and its broker is down.
 */
public final class LargeStore {
  private static final List<String> SEARCHES =
      List.of("dead?error=timed", "dead?topic=topic-7&key=k7", "letter?number=9");
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

  private final JdbcStore store;
  private final int rounds;

  private LargeStore(JdbcStore store, int rounds) {
    this.store = store;
    this.rounds = rounds;
  }

  public static void main(String[] args) throws Exception {
    int waiting = Integer.parseInt(args[0]);
    try (Sandbox sandbox = Database.POSTGRES.sandbox();
        Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      Schema.builder(sandbox.dataSource()).create();
      statement.execute(WAITING.formatted(waiting));
      statement.execute(DEAD.formatted(waiting / 10));
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
