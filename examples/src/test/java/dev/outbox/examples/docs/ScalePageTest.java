package dev.outbox.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.RelayStatus.Health;
import dev.outbox.Transactions;
import dev.outbox.examples.pages.ManyDatabases;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Message;
import dev.outbox.servers.Database;
import dev.outbox.servers.DatabaseServer;
import dev.outbox.servers.Sandbox;
import dev.outbox.testkit.InMemoryBroker;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Runs the code of docs/scale.md: databases come and go, and one of them dies. */
class ScalePageTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final InMemoryBroker broker = InMemoryBroker.create();

  @Test
  void databases_come_and_go_while_the_process_runs() throws Exception {
    try (Sandbox north = tables(Database.H2.sandbox());
        Sandbox south = tables(Database.H2.sandbox());
        ManyDatabases databases = new ManyDatabases(broker.publisher())) {
      JdbcStore first = JdbcStore.create(north.dataSource());
      databases.add("north", first);
      sell(north.dataSource(), first, "north 1");
      broker.await(1, SOON);

      JdbcStore second = JdbcStore.create(south.dataSource());
      sell(south.dataSource(), second, "south 1");
      databases.add("south", second);
      broker.await(2, SOON);
      assertThat(databases.health()).containsOnlyKeys("north", "south").containsValue(Health.UP);

      databases.remove("north");
      sell(north.dataSource(), first, "north 2");
      sell(south.dataSource(), second, "south 2");
      broker.await(3, SOON);
      assertThat(databases.health()).containsOnlyKeys("south");
      assertThat(broker.texts("sales", "north 2")).isEmpty();

      databases.add("north", first);
      broker.await(4, SOON);
      assertThat(broker.repeats()).isEmpty();
    }
  }

  @Test
  void a_database_that_is_killed_holds_up_no_other() throws Exception {
    DatabaseServer server = Database.H2_SERVER.anotherServer();
    try (Sandbox healthy = tables(Database.H2.sandbox());
        Sandbox victim = tables(server.sandbox());
        ManyDatabases databases = new ManyDatabases(broker.publisher())) {
      JdbcStore first = JdbcStore.create(healthy.dataSource());
      JdbcStore second = JdbcStore.create(victim.dataSource());
      databases.add("healthy", first);
      databases.add("victim", second);
      sell(victim.dataSource(), second, "victim 1");
      broker.await(1, SOON);

      server.kill();
      awaitHealth(databases, "victim", Health.DOWN);
      for (int number = 1; number <= 20; number++) {
        sell(healthy.dataSource(), first, "healthy " + number);
      }
      broker.await(21, SOON);
      assertThat(databases.health()).containsEntry("healthy", Health.UP);

      server.start();
      sell(victim.dataSource(), second, "victim 2");
      broker.await(22, SOON);
      awaitHealth(databases, "victim", Health.UP);
      assertThat(broker.repeats()).isEmpty();
    } finally {
      server.stop();
    }
  }

  private static Sandbox tables(Sandbox sandbox) {
    Schema.builder(sandbox.dataSource()).create();
    return sandbox;
  }

  private static void sell(DataSource dataSource, JdbcStore store, String order) throws Exception {
    Outbox outbox = Outbox.create(store);
    Transactions.run(
        dataSource,
        outbox,
        transaction -> outbox.enqueue(transaction, Message.to("sales").key(order).text("sold")));
  }

  private static void awaitHealth(ManyDatabases databases, String tenant, Health health) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (databases.health().get(tenant) != health) {
      assertThat(System.nanoTime()).as(tenant + " is not " + health).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }
}
