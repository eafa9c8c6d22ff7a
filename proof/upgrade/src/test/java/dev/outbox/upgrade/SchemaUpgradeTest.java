package dev.outbox.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.ManualRelay;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The last build of schema version 2 and this one cannot share tables. Each refuses those of the
 * other and says what to do; the upgrade waits for the relays of the old build, and what its
 * writers wrote before and after is delivered.
 */
class SchemaUpgradeTest {
  private static final String LAST_OF_VERSION_2 = "20ed8fd0af18e9602accb07f5741554e2a9379bb";
  private static final Path PROGRAM = Path.of("src", "test", "version2", "Version2.java");
  private static final int FIRST = 60;
  private static final int ALL = 90;

  private final List<String> published = new ArrayList<>();

  @Test
  void a_new_schema_version_waits_for_old_relays_and_loses_nothing() throws Exception {
    PreviousBuild build = PreviousBuild.of(LAST_OF_VERSION_2);
    try (Sandbox sandbox = Database.POSTGRES.sandbox()) {
      try (OldProgram create = OldProgram.start(build, PROGRAM, "create", sandbox)) {
        create.await();
      }
      assertThatThrownBy(() -> JdbcStore.create(sandbox.dataSource()))
          .hasMessageContaining("has schema version 2, this library works with 3")
          .hasMessageContaining("Close all relays, then run Schema");
      try (OldProgram writer = OldProgram.start(build, PROGRAM, "write", sandbox)) {
        write(writer, 1, FIRST);
        killRelay(build, sandbox);
        upgrade(sandbox);
        write(writer, FIRST + 1, ALL);
      }
      assertRefused(build, sandbox);
      deliverTheRest(sandbox);
    }
    for (int key = 0; key < 3; key++) {
      int remainder = key;
      assertThat(first(remainder))
          .isEqualTo(
              IntStream.rangeClosed(1, ALL).filter(n -> n % 3 == remainder).boxed().toList());
    }
  }

  private static void write(OldProgram writer, int from, int to) throws Exception {
    writer.tell(from + " " + to);
    assertThat(writer.next()).isEqualTo("written " + from + " " + to);
  }

  private void killRelay(PreviousBuild build, Sandbox sandbox) throws Exception {
    try (OldProgram relay = OldProgram.start(build, PROGRAM, "relay", sandbox)) {
      published.add(relay.next());
      assertThatThrownBy(() -> Schema.builder(sandbox.dataSource()).build().upgrade())
          .hasMessageContaining("relays of this version use the tables");
      published.add(relay.next());
      published.addAll(relay.kill());
    }
    assertThat(published).hasSizeLessThan(FIRST);
  }

  /** As soon as the lease of the dead relay is over. */
  private static void upgrade(Sandbox sandbox) throws InterruptedException {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (true) {
      try {
        Schema.builder(sandbox.dataSource()).build().upgrade();
        return;
      } catch (RuntimeException e) {
        assertThat(e).hasMessageContaining("relays of this version use the tables");
        assertThat(System.nanoTime()).as("a dead relay counts for long").isLessThan(deadline);
        Thread.sleep(200);
      }
    }
  }

  private static void assertRefused(PreviousBuild build, Sandbox sandbox) throws Exception {
    try (OldProgram old = OldProgram.start(build, PROGRAM, "open", sandbox)) {
      assertThat(old.next())
          .contains("has schema version 3, this library works with 2")
          .contains("Deploy the library of that version");
    }
  }

  private void deliverTheRest(Sandbox sandbox) {
    InMemoryBroker broker = InMemoryBroker.create();
    JdbcStore store = JdbcStore.create(sandbox.dataSource());
    try (ManualRelay relay = ManualRelay.of(store, broker.publisher())) {
      relay.drainNow();
    }
    broker
        .messages()
        .forEach(arrival -> published.add("published " + arrival.envelope().payload().text()));
  }

  /** The messages of a key in the order in which each arrived for the first time. */
  private List<Integer> first(int remainder) {
    Stream<Integer> numbers = published.stream().map(line -> Integer.valueOf(line.substring(10)));
    return numbers.filter(number -> number % 3 == remainder).distinct().toList();
  }
}
