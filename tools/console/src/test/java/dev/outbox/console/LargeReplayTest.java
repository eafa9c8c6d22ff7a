package dev.outbox.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.MessageId;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** 100,000 dead letters are replayed by a filter, with a stop in the middle. */
@Tag("proof")
@Timeout(900)
class LargeReplayTest {
  private static final int FIT = 100_000;
  private static final int OTHERS = 1_000;
  private static final Map<String, String> FILTER =
      Map.of("topic", "mails", "error", "NO SUCH customer");
  private static final String DEAD =
      """
      INSERT INTO outbox_dead (lane, id, message_id, topic, msg_key, content_type, payload, origin,
        created_at, reason, attempts, last_error)
      SELECT n %% 32, n, gen_random_uuid(), 'mails', 'k' || n %% 32, 'text/plain',
        decode(repeat('00', 200), 'hex'), 0, clock_timestamp(), 'REJECTED', 1, '%s'
      FROM generate_series(%d, %d) AS n
      """;

  private Sandbox sandbox;
  private JdbcStore store;
  private OutboxConsole console;
  private Browser browser;

  @BeforeEach
  void open() throws Exception {
    sandbox = Database.POSTGRES.sandbox();
    Schema schema = Schema.builder(sandbox.dataSource()).build();
    schema.create();
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement()) {
      statement.execute(DEAD.formatted("no such customer", 1, FIT));
      statement.execute(DEAD.formatted("connection refused", FIT + 1, FIT + OTHERS));
      statement.execute("ANALYZE outbox_dead");
    }
    schema.raiseIds(); // the letters have ids that no sequence gave
    store = JdbcStore.create(sandbox.pool(12));
    console = OutboxConsole.builder(store).operate().start();
    browser = new Browser(console);
  }

  @AfterEach
  void close() {
    console.close();
    sandbox.close();
  }

  @Test
  void its_progress_is_seen_it_stops_goes_on_and_nothing_comes_twice() throws Exception {
    Set<MessageId> fit = ids("outbox_dead WHERE last_error = 'no such customer'");
    long began = System.nanoTime();
    String first = counted(FIT);
    Duration counting = since(began);
    long begun = System.nanoTime();
    assertThat(browser.confirm(first, FIT)).isEqualTo(200);
    List<Long> seen = seenUntil(first, FIT / 3);
    assertThat(seen).isSorted().hasSizeGreaterThan(10).allMatch(done -> done < FIT);
    browser.post("api/jobs/stop", Map.of("id", first));
    long done = browser.job(first, List.of("STOPPED")).get("done").asLong();
    Duration untilStop = since(begun);
    assertThat(done).isBetween(FIT / 3L, FIT - 1L);
    assertMoved(done);
    assertThat(browser.get("api/job?id=" + first).get("done").asLong()).isEqualTo(done);

    String rest = counted(FIT - done);
    long goesOn = System.nanoTime();
    assertThat(browser.confirm(rest, FIT - done)).isEqualTo(200);
    JsonNode ended = browser.job(rest, List.of("DONE", "FAILED"));
    Duration untilEnd = since(goesOn);
    assertThat(ended.get("state").asText()).isEqualTo("DONE");
    assertThat(ended.get("done").asLong()).isEqualTo(FIT - done);
    assertMoved(FIT);

    long draining = System.nanoTime();
    InMemoryBroker broker = drained();
    assertThat(broker.count()).isEqualTo(FIT);
    assertThat(broker.ids()).isEqualTo(fit);
    assertThat(ids("outbox")).isEmpty();
    System.out.printf(
        "%,d dead letters: counted in %s, %,d replayed until the stop in %s, the rest in %s,"
            + " delivered in %s; progress was seen %d times%n",
        FIT, counting, done, untilStop, untilEnd, since(draining), seen.size());
  }

  private String counted(long expected) throws Exception {
    Map<String, Object> asked = Map.of("action", "replay", "filter", FILTER);
    String id = Browser.json(browser.post("api/jobs", asked).body()).get("id").asText();
    JsonNode counted = browser.job(id, List.of("COUNTED", "FAILED"));
    assertThat(counted.get("counted").asLong()).as(counted.toString()).isEqualTo(expected);
    return id;
  }

  /** The different numbers that a page shows until so many are done. */
  private List<Long> seenUntil(String id, long enough) throws Exception {
    List<Long> seen = new ArrayList<>(List.of(0L));
    while (seen.get(seen.size() - 1) < enough) {
      JsonNode job = browser.get("api/job?id=" + id);
      assertThat(job.get("state").asText()).as(job.toString()).isEqualTo("RUNNING");
      long done = job.get("done").asLong();
      if (done != seen.get(seen.size() - 1)) {
        seen.add(done);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    return seen;
  }

  /** Each letter is in one table. */
  private void assertMoved(long moved) throws SQLException {
    assertThat(ids("outbox")).hasSize((int) moved);
    assertThat(ids("outbox_dead")).hasSize((int) (FIT + OTHERS - moved));
  }

  private Set<MessageId> ids(String rows) throws SQLException {
    Set<MessageId> ids = new HashSet<>();
    try (Connection connection = sandbox.open();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT message_id FROM " + rows)) {
      while (row.next()) {
        assertThat(ids.add(MessageId.parse(row.getString(1)))).isTrue();
      }
    }
    return ids;
  }

  private InMemoryBroker drained() {
    InMemoryBroker broker = InMemoryBroker.create();
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    return broker;
  }

  private static Duration since(long nanos) {
    return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos));
  }
}
