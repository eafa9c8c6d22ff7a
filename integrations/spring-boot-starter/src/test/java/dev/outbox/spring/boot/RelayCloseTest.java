package dev.outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.message.Message;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.InMemoryStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.Lifecycle;
import org.springframework.context.support.DefaultLifecycleProcessor;

/** How relays end with their application. */
class RelayCloseTest {
  private final InMemoryStore orders = InMemoryStore.create();
  private final InMemoryStore reports = InMemoryStore.create();
  private final List<RelayLifecycle> relays = new CopyOnWriteArrayList<>();
  private final CountDownLatch begun = new CountDownLatch(2);

  /** One after the other they could need longer than a process has. */
  @Tag("boot-4")
  @Test
  void those_of_several_databases_close_at_the_same_time() {
    new ApplicationContextRunner()
        .withBean("orders", RelayLifecycle.class, () -> relay(orders, this::untilAllClose))
        .withBean("reports", RelayLifecycle.class, () -> relay(reports, this::untilAllClose))
        .run(
            context -> {
              enqueue(orders);
              enqueue(reports);
              begun.await();
            });
    assertThat(orders.contents().delivered()).isEqualTo(1);
    assertThat(reports.contents().delivered()).isEqualTo(1);
  }

  /** Spring goes on to what stops later, but destroys nothing that the relay needs. */
  @Test
  void one_that_needs_longer_than_Spring_waits_has_closed_when_the_context_has() {
    DefaultLifecycleProcessor impatient = new DefaultLifecycleProcessor();
    impatient.setTimeoutPerShutdownPhase(1);
    CountDownLatch later = new CountDownLatch(1);
    new ApplicationContextRunner()
        .withBean("lifecycleProcessor", DefaultLifecycleProcessor.class, () -> impatient)
        .withBean(StoppedLater.class, () -> new StoppedLater(later))
        .withBean(RelayLifecycle.class, () -> relay(orders, later::await))
        .run(
            context -> {
              enqueue(orders);
              await().until(() -> begun.getCount() == 1);
            });
    assertThat(orders.contents().delivered()).isEqualTo(1);
  }

  /** In the phase of all that says none. */
  private static final class StoppedLater implements Lifecycle {
    private final CountDownLatch stopped;

    StoppedLater(CountDownLatch stopped) {
      this.stopped = stopped;
    }

    @Override
    public void start() {}

    @Override
    public void stop() {
      stopped.countDown();
    }

    @Override
    public boolean isRunning() {
      return stopped.getCount() > 0;
    }
  }

  private RelayLifecycle relay(InMemoryStore store, Waiting waiting) {
    Publisher publisher =
        Publisher.blocking(
            envelope -> {
              begun.countDown();
              waiting.await();
            });
    RelayLifecycle relay = new RelayLifecycle(() -> Optional.of(Relay.builder(store, publisher)));
    relays.add(relay);
    return relay;
  }

  /** What a send waits for. */
  private interface Waiting {
    void await() throws InterruptedException;
  }

  private void untilAllClose() {
    await().until(() -> relays.stream().noneMatch(RelayLifecycle::isRunning));
  }

  private static void enqueue(InMemoryStore store) throws SQLException {
    try (Connection connection = store.begin()) {
      Outbox.create(store).enqueue(connection, Message.to("any").text("1"));
      connection.commit();
    }
  }
}
