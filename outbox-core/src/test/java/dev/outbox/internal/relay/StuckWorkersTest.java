package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.RelayStatus;
import dev.outbox.RelayStatus.Health;
import dev.outbox.Topics.Setting;
import dev.outbox.internal.relay.base.GuardedListener;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowClaim;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers by rows whose publisher does not return in time. */
@Timeout(60)
class StuckWorkersTest {
  private static final Duration DEADLINE = Duration.ofMillis(200);

  private final StoredEnvelope message = Samples.ready(1, "a");
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final Deque<StoredEnvelope> waiting = new ArrayDeque<>(List.of(message));
  private volatile Instant now = Samples.START;

  @AfterEach
  void letItReturn() {
    release.countDown();
  }

  @Test
  void a_relay_is_down_when_all_of_its_workers_are_stuck() throws Exception {
    RelayEngine engine = start(1);
    entered.await();

    RelayStatus status = onceOneIsStuck(engine);

    release.countDown();
    engine.stop();
    assertThat(status.stuckThreads()).isEqualTo(1);
    assertThat(status.health()).isEqualTo(Health.DOWN);
    assertThat(status.storeDownFor()).isNull();
  }

  @Test
  void a_relay_is_degraded_while_some_of_its_workers_are_stuck() throws Exception {
    RelayEngine engine = start(2);
    entered.await();

    RelayStatus status = onceOneIsStuck(engine);

    release.countDown();
    while (engine.status().counts().delivered() < 1) {
      Thread.sleep(1);
    }
    RelayStatus later = engine.status();
    engine.stop();
    assertThat(status.stuckThreads()).isEqualTo(1);
    assertThat(status.health()).isEqualTo(Health.DEGRADED);
    assertThat(later.stuckThreads()).isZero();
    assertThat(later.health()).isEqualTo(Health.UP);
  }

  private static RelayStatus onceOneIsStuck(RelayEngine engine) throws InterruptedException {
    RelayStatus status = engine.status();
    while (status.stuckThreads() == 0) {
      Thread.sleep(1);
      status = engine.status();
    }
    return status;
  }

  @Test
  void another_worker_reports_it_once_names_the_message_and_says_when_it_is_over() {
    Surroundings shared = Samples.surroundings(Ticker.of(() -> now));
    RowWorker stuck = worker(shared);
    RowWorker other = worker(shared);
    List<String> early = new ArrayList<>();

    List<String> lines =
        LogLines.of(
            () -> {
              Thread thread = new Thread(stuck::step);
              thread.start();
              quietly(entered::await);
              early.addAll(LogLines.of(() -> stepAfter(other, DEADLINE.minusMillis(1))));
              for (int turn = 0; turn < 50; turn++) {
                stepAfter(other, DEADLINE);
              }
              release.countDown();
              quietly(thread::join);
            });

    assertThat(early).isEmpty();
    assertThat(lines)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains("ERROR", "relay=stuck-rows 1 threads are stuck in the publisher")
                    .contains("topic=orders message=" + message.envelope().id(), "restart"),
            line -> assertThat(line).contains("no thread is stuck in the publisher any more"));
  }

  /** As with a client that has no time-out, while its broker comes up. */
  @Test
  void a_probe_that_is_stuck_does_not_hold_its_topic_for_the_other_workers() throws Exception {
    Surroundings shared = Samples.surroundings(Ticker.of(() -> now));
    List<Envelope> delivered = new ArrayList<>();
    RowWorker stuck = new RowWorker(store(), this::refuseThenHang, settings(), shared);
    RowWorker other =
        new RowWorker(store(), Publisher.blocking(delivered::add), settings(), shared);
    StoredEnvelope probe = Samples.ready(2, "b");
    StoredEnvelope healthy = Samples.ready(3, "c");
    waiting.addAll(List.of(probe, healthy));
    stuck.step(); // its broker is down
    now = now.plusSeconds(1);
    Thread thread = new Thread(stuck::step);
    thread.start();
    entered.await();

    stepAfter(other, DEADLINE.minusMillis(1));
    assertThat(delivered).isEmpty();
    for (int turn = 0; turn < 5; turn++) {
      stepAfter(other, Duration.ofSeconds(1));
    }

    assertThat(delivered).containsExactly(healthy.envelope());
    release.countDown();
    thread.join();
    assertThat(shared.relayState().gates.open(shared.ticker().now())).isEmpty();
  }

  private void refuseThenHang(Flight flight) throws InterruptedException {
    if (flight.envelopes().contains(message.envelope())) {
      flight.ack(message.envelope(), Ack.unavailable(new IllegalStateException("refused")));
    } else {
      publish(flight);
    }
  }

  private void stepAfter(RowWorker worker, Duration time) {
    now = now.plus(time);
    worker.step();
  }

  private interface Wait {
    void take() throws InterruptedException;
  }

  private static void quietly(Wait wait) {
    try {
      wait.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns from its first message when the test lets it. */
  private void publish(Flight flight) throws InterruptedException {
    entered.countDown();
    release.await();
    flight.envelopes().forEach(each -> flight.ack(each, Ack.delivered()));
  }

  private RelayEngine start(int workers) {
    return new RelayEngine(
        store(), this::publish, settings(), new RelayEngine.Staff(workers, null));
  }

  private RowWorker worker(Surroundings surroundings) {
    return new RowWorker(store(), this::publish, settings(), surroundings);
  }

  private ScriptedStore store() {
    return ScriptedStore.ofRows(Rows::new);
  }

  private static RelaySettings settings() {
    return new RelaySettings(
        "stuck-rows",
        new RelaySettings.Leasing(Duration.ofSeconds(15), Duration.ofSeconds(5)),
        new RelaySettings.Volume(100, 1000, 1 << 20, 2),
        new RelaySettings.Deadlines(
            DEADLINE, Duration.ofSeconds(20), Duration.ofMillis(50), Duration.ZERO),
        new RelaySettings.Retries(RetryPolicy.standard(), Map.of()),
        Samples.GRACE,
        new GuardedListener("stuck-rows", List.of()));
  }

  /** Each message is claimed once. */
  private final class Rows implements RowStore {
    @Override
    public RowClaim claim(int atMost, Set<String> heldTopics) {
      synchronized (waiting) {
        boolean none = waiting.isEmpty() || heldTopics.contains(Samples.TOPIC);
        return new Claim(none ? List.of() : List.of(waiting.remove()));
      }
    }

    @Override
    public RowClaim claimDue(int atMost, Set<String> heldTopics) {
      return new Claim(List.of());
    }

    @Override
    public int release(Set<String> heldTopics, int atMost) {
      return 0;
    }

    @Override
    public Map<String, Setting> topics() {
      return Map.of();
    }

    @Override
    public RelayRegistry registry() {
      return new ScriptedLanes(0);
    }

    @Override
    public void abort() {}

    @Override
    public int promoteDue(int atMost) {
      return 0;
    }

    @Override
    public void close() {}
  }

  private record Claim(List<StoredEnvelope> messages) implements RowClaim {
    @Override
    public Connection transaction() {
      return null;
    }

    @Override
    public void settle(List<Fate> fates) {}

    @Override
    public void close() {}
  }
}
