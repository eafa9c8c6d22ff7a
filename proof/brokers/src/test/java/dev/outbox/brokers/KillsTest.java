package dev.outbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.brokers.judge.Flights;
import dev.outbox.brokers.judge.Load;
import dev.outbox.jdbc.Schema;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Under load, relay and broker are killed in turns. What a consumer receives has lost nothing, no
 * key its order, and what came twice was on its way at a kill. {@code -Doutbox.brokerkills=20} is
 * the dose of a soak, {@code -Doutbox.brokerkills.seed} other pauses, {@code
 * -Doutbox.broker=RABBITMQ} the one broker.
 */
@Tag("proof")
@Order(1)
class KillsTest {
  private static final int KILLS = Integer.getInteger("outbox.brokerkills", 5);

  @TempDir private Path folder;
  private final Random random = new Random(Long.getLong("outbox.brokerkills.seed", 7));
  private final List<Flights.Fault> faults = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void kills_of_broker_and_relay_lose_nothing_and_reorder_nothing(BrokerKind kind)
      throws Exception {
    kind.whyNot().ifPresent(Assumptions::abort);
    String chosen = System.getProperty("outbox.broker", kind.name());
    Assumptions.assumeTrue(chosen.equals(kind.name()), () -> "only " + chosen);
    try (TestBroker broker = kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      DataSource dataSource = sandbox.pool(4);
      Schema.builder(dataSource).create();
      Load load = Load.start(dataSource);
      Process relay = relay(kind, broker, sandbox);
      for (int kill = 1; kill <= KILLS; kill++) {
        relay = killRelay(relay, kind, broker, sandbox);
        killBroker(broker);
        System.out.printf("%s: killed both %d times, written %d%n", kind, kill, load.written());
      }
      load.stopAndDrain();
      relay.destroyForcibly().waitFor();
      judge(kind, load.requireAll(broker.arrived()));
    }
  }

  private Process relay(BrokerKind kind, TestBroker broker, Sandbox sandbox) throws Exception {
    Path log = folder.resolve("relay-" + logs.size() + ".log");
    logs.add(log);
    return RelayMain.start(kind, broker.address(), sandbox, log);
  }

  private Process killRelay(Process relay, BrokerKind kind, TestBroker broker, Sandbox sandbox)
      throws Exception {
    rest(1000, 3000);
    long begun = System.currentTimeMillis();
    assertThat(relay.isAlive()).as("the relay lives until it is killed").isTrue();
    relay.destroyForcibly().waitFor();
    faults.add(new Flights.Fault(begun, System.currentTimeMillis()));
    return relay(kind, broker, sandbox);
  }

  private void killBroker(TestBroker broker) throws Exception {
    rest(2000, 4000);
    long begun = System.currentTimeMillis();
    broker.kill();
    rest(0, 1500);
    broker.restart();
    faults.add(new Flights.Fault(begun, System.currentTimeMillis()));
  }

  private void rest(int least, int most) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(random.nextInt(least, most));
  }

  private void judge(BrokerKind kind, Load.Repeats repeats) throws Exception {
    Flights flights = Flights.read(logs, faults);
    List<String> ids = repeats.ids();
    List<String> unexplained =
        Set.copyOf(ids).stream()
            .filter(id -> !flights.explains(id, Collections.frequency(ids, id)))
            .toList();
    System.out.printf(
        "%s: kills of the broker %d, of relays %d; messages %d, lost 0, reordered 0, repeats %d,"
            + " unexplained %d%n",
        kind, KILLS, KILLS, repeats.messages(), ids.size(), unexplained.size());
    assertThat(unexplained.stream().map(flights::told))
        .as("repeats of messages that were not on their way at a kill")
        .isEmpty();
    if (kind.dropsRepeats()) {
      assertThat(ids).as("repeats at a consumer").isEmpty();
    }
  }
}
