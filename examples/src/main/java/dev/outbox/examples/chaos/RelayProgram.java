package dev.outbox.examples.chaos;

import com.zaxxer.hikari.HikariDataSource;
import dev.outbox.Relay;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.NoteKind;
import java.time.Duration;
import java.util.Random;

/** A relay as its own process. It closes on SIGTERM, and dies with the process that started it. */
public final class RelayProgram {
  static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration RENEWAL = Duration.ofSeconds(1);
  private static final Duration CLOSE_DEADLINE = Duration.ofSeconds(8);
  private static final Duration LONGEST_TRANSACTION = Duration.ofSeconds(10);
  private static final int CONNECTIONS = 4;
  private static final int BATCH = 50;
  private static final int IN_FLIGHT = 400;

  private final String name;
  private final Journal journal;
  private final HikariDataSource pool;
  private final Brief brief;

  private RelayProgram(Brief brief) {
    this.brief = brief;
    this.name = brief.text("name");
    this.journal = Journal.open(brief.folder(), name);
    this.pool = Pools.open(name, brief.login(), CONNECTIONS);
  }

  /** Runs a relay as the environment says until the process is ended. */
  public static void main(String[] arguments) throws Exception {
    new RelayProgram(Brief.fromEnvironment()).run();
  }

  private void run() throws Exception {
    Sabotage sabotage = Sabotage.valueOf(brief.text("sabotage"));
    BrokerSource.Opened broker = broker(sabotage);
    Relay relay = Patience.until("the relay starts", () -> start(broker, sabotage));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(relay)));
    Lifeline.hold();
  }

  private void close(Relay relay) {
    relay.close();
    journal.of(NoteKind.CLOSED, name, "");
    pool.close();
  }

  private Relay start(BrokerSource.Opened broker, Sabotage sabotage) {
    Aboard aboard = new Aboard();
    OutboxStore store =
        new NotingStore(JdbcStore.create(pool), lanes -> noting(lanes, aboard, sabotage));
    return Relay.builder(store, new NotingPublisher(broker.publisher(), journal, name, aboard))
        .owns(broker.owned())
        .name(name)
        .lease(LEASE, RENEWAL)
        .batch(BATCH)
        .maxInFlight(IN_FLIGHT, 8L * 1024 * 1024)
        .publishDeadline(NotingPublisher.DEADLINE)
        .closeDeadline(CLOSE_DEADLINE)
        .grace(LONGEST_TRANSACTION)
        .retry(
            RetryPolicy.exponential(
                Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofHours(1)))
        .start();
  }

  private BrokerSource.Opened broker(Sabotage sabotage) throws Exception {
    Random dice = new Random(brief.number("seed"));
    String broker = brief.text("broker");
    if (broker.equals(Terms.JOURNAL)) {
      Publisher publisher = new JournalBroker(journal, name, dice, sabotage).publisher();
      return new BrokerSource.Opened(publisher, () -> {});
    }
    BrokerSource.Opened opened =
        BrokerSource.find().publisher(broker, brief.text("address"), NotingPublisher.DEADLINE);
    return sabotage == Sabotage.LOSE || sabotage == Sabotage.REPEAT
        ? new BrokerSource.Opened(
            new WrongPublisher(opened.publisher(), dice, sabotage), opened.owned())
        : opened;
  }

  private LaneStore noting(LaneStore lanes, Aboard aboard, Sabotage sabotage) {
    return new NotingLanes(lanes, journal, name, aboard, sabotage == Sabotage.EARLY);
  }
}
