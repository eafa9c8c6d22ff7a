package dev.outbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.DeadLetter;
import dev.outbox.Relay;
import dev.outbox.brokers.judge.Load;
import dev.outbox.jdbc.JdbcStore;
import dev.outbox.jdbc.Schema;
import dev.outbox.message.Envelope;
import dev.outbox.publish.RelayListener;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A broker is away for long while messages are written. {@code -Doutbox.outage=600} is seconds. */
@Tag("proof")
class OutageTest {
  private static final Duration OUTAGE =
      Duration.ofSeconds(Integer.getInteger("outbox.outage", 30));
  private static final Duration DEADLINE = Duration.ofSeconds(6);

  /** What cost a message an attempt, or its life. */
  private static final class Burnt implements RelayListener {
    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private volatile boolean isDown;

    @Override
    public void failed(Envelope envelope, int attempt, Duration rest, String error) {
      if (attempt > 0) {
        events.add("attempt " + attempt + " of " + envelope.id() + ": " + error);
      }
    }

    @Override
    public void deadLettered(Envelope envelope, DeadLetter.Reason reason, String error) {
      events.add(reason + " of " + envelope.id() + ": " + error);
    }

    @Override
    public void brokerDown(String topic) {
      isDown = true;
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_outage_under_load_counts_no_attempt_and_drains_in_order(BrokerKind kind)
      throws Exception {
    kind.whyNot().ifPresent(Assumptions::abort);
    try (TestBroker broker = kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox()) {
      DataSource dataSource = sandbox.pool(6);
      Schema.builder(dataSource).create();
      Load load = Load.start(dataSource);
      Burnt burnt = new Burnt();
      BrokerKind.OwnedPublisher owned = kind.publisher(broker.address(), DEADLINE);
      try (Relay relay =
          Relay.builder(JdbcStore.create(dataSource), owned.publisher())
              .owns(owned.owned())
              .publishDeadline(DEADLINE)
              .listener(burnt)
              .start()) {
        awaitDelivered(relay, 500);
        broker.kill();
        TimeUnit.MILLISECONDS.sleep(OUTAGE.toMillis());
        assertThat(burnt.isDown).as("the relay has noticed").isTrue();
        broker.restart();
        long back = System.nanoTime();
        awaitDelivered(relay, relay.status().counts().delivered() + 500);
        load.stopAndDrain();
        Load.Repeats repeats = load.requireAll(broker.arrived());
        System.out.printf(
            "%s: outage of %s, messages %d, attempts burnt and dead %d, drained in order %.1f s"
                + " after it, repeats %d%n",
            kind,
            OUTAGE,
            repeats.messages(),
            burnt.events.size(),
            (System.nanoTime() - back) / 1e9,
            repeats.ids().size());
      }
      assertThat(burnt.events).as("attempts burnt, and dead letters").isEmpty();
    }
  }

  private static void awaitDelivered(Relay relay, long count) throws InterruptedException {
    while (relay.status().counts().delivered() < count) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
