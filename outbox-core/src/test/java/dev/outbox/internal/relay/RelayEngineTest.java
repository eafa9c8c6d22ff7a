package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.GuardedListener;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RetryPolicy;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a relay on real threads ends; its store is looked at once it has. */
@Timeout(60)
class RelayEngineTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Lane LANE = new Lane(0);

  private final ScriptedLanes lanes = new ScriptedLanes(2);
  private final StoredEnvelope message = StoredEnvelope.ready(1, LANE, Samples.envelope("a"));
  private final CountDownLatch published = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private RelayEngine engine;

  @AfterEach
  void endIt() {
    answer.countDown();
    engine.stop();
  }

  @Test
  void a_relay_that_stops_releases_its_lanes_and_leaves_no_thread() throws Exception {
    start(delivering(), LONG);
    published.await();

    engine.stop();

    assertThat(releases()).hasSize(2);
    assertThat(lanes.asked("leave")).hasSize(1);
    assertThat(fates()).containsExactly(new Fate.Deliver(message));
    assertNoThreadIsLeft();
    assertThat(engine.health().stopped()).isTrue();
    assertThat(engine.health().alive()).isFalse();
  }

  @Test
  void a_second_stop_does_nothing() throws Exception {
    start(delivering(), LONG);
    published.await();
    engine.stop();
    int asked = lanes.asked.size();

    engine.stop();

    assertThat(lanes.asked).hasSize(asked);
  }

  @Test
  void a_stop_lets_land_what_is_in_flight_and_a_second_one_waits_for_it() throws Exception {
    start(waiting(), LONG);
    published.await();
    Thread first = stopInAThreadOfItsOwn();
    Thread second = stopInAThreadOfItsOwn();
    first.join(300);
    second.join(300);
    assertThat(first.isAlive() && second.isAlive()).isTrue();

    answer.countDown();
    first.join();
    second.join();

    assertThat(fates()).containsExactly(new Fate.Deliver(message));
    assertThat(releases()).hasSize(2);
  }

  @Test
  void what_it_owns_is_closed_last_one_first_once_the_flights_have_ended() throws Exception {
    List<String> closed = new CopyOnWriteArrayList<>();
    AutoCloseable broken =
        () -> {
          closed.add("broken");
          throw new IllegalStateException("no");
        };
    AutoCloseable client =
        () -> closed.add("client after " + fates().size() + ", " + publishersAtWork() + " at work");
    start(
        ScriptedStore.of(lanes),
        waiting(),
        LONG,
        new RelayEngine.Staff(1, null, null, List.of(client, broken)));
    published.await();
    Thread stopping = stopInAThreadOfItsOwn();
    stopping.join(300);
    assertThat(closed).isEmpty();

    answer.countDown();
    stopping.join();

    assertThat(closed).containsExactly("broken", "client after 1, 0 at work");
    engine.stop();
    assertThat(closed).hasSize(2);
  }

  @Test
  void what_it_owns_is_closed_too_when_a_flight_has_no_answer_by_the_deadline() throws Exception {
    List<String> closed = new CopyOnWriteArrayList<>();
    start(
        ScriptedStore.of(lanes),
        flight -> published.countDown(),
        SHORT,
        new RelayEngine.Staff(1, null, null, List.of(() -> closed.add("client"))));
    published.await();

    engine.stop();

    assertThat(closed).containsExactly("client");
  }

  @Test
  void an_interrupted_thread_stops_it_as_carefully_and_stays_interrupted() throws Exception {
    List<String> closed = new CopyOnWriteArrayList<>();
    start(
        ScriptedStore.of(lanes),
        waiting(),
        LONG,
        new RelayEngine.Staff(1, null, null, List.of(() -> closed.add("client"))));
    published.await();
    AtomicReference<Boolean> interrupted = new AtomicReference<>();
    Thread stopping =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              engine.stop();
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    stopping.start();
    stopping.join(300);
    assertThat(closed).isEmpty();

    answer.countDown();
    stopping.join();

    assertThat(fates()).containsExactly(new Fate.Deliver(message));
    assertThat(releases()).hasSize(2);
    assertThat(closed).containsExactly("client");
    assertThat(interrupted).hasValue(true);
  }

  @Test
  void an_interrupted_send_on_the_loops_own_thread_does_not_end_the_relay() throws Exception {
    AtomicInteger flights = new AtomicInteger();
    Publisher interruptedOnce =
        flight -> {
          if (flights.incrementAndGet() == 1) {
            throw new InterruptedException("the client was told to give up");
          }
          delivering().publish(flight);
        };
    start(ScriptedStore.of(lanes), interruptedOnce, LONG, new RelayEngine.Staff(1, Runnable::run));

    assertThat(published.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void failures_that_the_log_kept_back_are_reported_by_the_close() throws Exception {
    lanes.put(StoredEnvelope.ready(2, LANE, Samples.envelope("b")));
    Publisher failing =
        flight -> {
          flight
              .envelopes()
              .forEach(each -> flight.ack(each, Ack.failed(new IllegalStateException("no"))));
        };
    start(failing, LONG);
    while (engine.status().counts().parked() < 2) {
      Thread.onSpinWait();
    }

    assertThat(LogLines.of(engine::stop))
        .anyMatch(line -> line.contains("topic=orders 1 more failures, the last: message="));
  }

  private static long publishersAtWork() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().startsWith("outbox-ending-"))
        .filter(
            each ->
                Stream.of(each.getValue())
                    .anyMatch(frame -> frame.getMethodName().equals("publish")))
        .count();
  }

  @Test
  void a_listener_may_stop_the_relay_from_its_own_thread() throws Exception {
    AtomicReference<RelayEngine> self = new AtomicReference<>();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch returned = new CountDownLatch(1);
    RelayListener stopping =
        new RelayListener() {
          @Override
          public void settled(Settled settled) {
            awaitQuietly(started);
            self.get().stop();
            returned.countDown();
          }
        };
    start(delivering(), LONG, stopping, null);
    self.set(engine);
    started.countDown();

    assertThat(returned.await(30, TimeUnit.SECONDS)).isTrue();
    engine.stop();
    assertThat(releases()).hasSize(2);
    assertNoThreadIsLeft();
  }

  @Test
  void a_publisher_may_stop_the_relay_that_waits_for_it() throws Exception {
    AtomicReference<RelayEngine> self = new AtomicReference<>();
    CountDownLatch started = new CountDownLatch(1);
    start(
        flight -> {
          started.await();
          self.get().stop();
          flight.envelopes().forEach(each -> flight.ack(each, Ack.delivered()));
          published.countDown();
        },
        LONG);
    self.set(engine);
    started.countDown();

    assertThat(published.await(30, TimeUnit.SECONDS)).isTrue();
    engine.stop();
    assertThat(fates()).containsExactly(new Fate.Deliver(message));
    assertThat(releases()).hasSize(2);
  }

  @Test
  void a_flight_without_an_answer_is_given_up_at_the_deadline_and_its_lane_expires()
      throws Exception {
    start(flight -> published.countDown(), SHORT);
    published.await();

    engine.stop();

    assertThat(releases()).singleElement().isEqualTo(new Lane(1));
    assertThat(fates()).isEmpty();
    assertNoThreadIsLeft();
  }

  @Test
  void a_publisher_that_hangs_is_interrupted_after_the_deadline() throws Exception {
    start(waiting(), SHORT);
    published.await();

    engine.stop();

    assertNoThreadIsLeft();
  }

  @Test
  void a_store_that_is_down_does_not_keep_a_relay_from_ending_in_time() throws Exception {
    start(waiting(), Duration.ofSeconds(1));
    published.await();
    lanes.unheard = "settle";
    answer.countDown();

    long before = System.nanoTime();
    engine.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(12));
    assertNoThreadIsLeft();
  }

  @Test
  void an_executor_of_the_user_publishes_and_outlives_the_relay() throws Exception {
    ExecutorService own = Executors.newSingleThreadExecutor(task -> new Thread(task, "users-own"));
    try {
      AtomicReference<String> name = new AtomicReference<>();
      start(
          flight -> {
            name.set(Thread.currentThread().getName());
            flight.envelopes().forEach(each -> flight.ack(each, Ack.delivered()));
            published.countDown();
          },
          LONG,
          RelayListener.SILENT,
          own);
      published.await();
      engine.stop();

      assertThat(name).hasValue("users-own");
      assertThat(own.isShutdown()).isFalse();
    } finally {
      own.shutdownNow();
    }
  }

  @Test
  void a_purge_that_fails_is_tried_again_and_neither_ends_nor_stops_delivery() throws Exception {
    CountDownLatch tried = new CountDownLatch(2);
    startPurging(
        (retention, from, atMost) -> {
          tried.countDown();
          throw new IllegalStateException("a bug in the purge");
        });

    assertThat(tried.await(30, TimeUnit.SECONDS)).isTrue();

    published.await();
    assertThat(engine.health().alive()).isTrue();
    assertThat(engine.health().storeDownFor()).isNull();
    assertThat(engine.health().purgeFailingFor()).isNotNull();
    engine.stop();
    assertNoThreadIsLeft();
  }

  @Test
  void a_purge_that_ends_by_an_error_is_reported_and_delivery_goes_on() throws Exception {
    startPurging(
        (retention, from, atMost) -> {
          throw new NoClassDefFoundError("purge");
        });

    published.await();
    while (engine.health().purgeFailingFor() == null) {
      Thread.onSpinWait();
    }
    assertThat(engine.health().alive()).isTrue();
  }

  @Test
  void a_purge_that_hangs_is_interrupted_by_the_close() throws Exception {
    CountDownLatch purging = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    startPurging(
        (retention, from, atMost) -> {
          purging.countDown();
          awaitQuietly(answer);
          interrupted.countDown();
          throw new IllegalStateException("interrupted");
        });
    assertThat(purging.await(30, TimeUnit.SECONDS)).isTrue();

    long before = System.nanoTime();
    engine.stop();

    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(12));
    assertNoThreadIsLeft();
  }

  private void startPurging(ArchivePurge.History history) {
    ScriptedStore store = ScriptedStore.of(lanes);
    store.purging = history;
    start(store, delivering(), LONG, new RelayEngine.Staff(1, null, Duration.ofDays(1), List.of()));
  }

  private void start(Publisher publisher, Duration close) {
    start(publisher, close, RelayListener.SILENT, null);
  }

  private void start(
      Publisher publisher, Duration close, RelayListener listener, ExecutorService executor) {
    start(ScriptedStore.of(lanes), publisher, close, listener, new RelayEngine.Staff(1, executor));
  }

  private void start(
      ScriptedStore store, Publisher publisher, Duration close, RelayEngine.Staff staff) {
    start(store, publisher, close, RelayListener.SILENT, staff);
  }

  private void start(
      ScriptedStore store,
      Publisher publisher,
      Duration close,
      RelayListener listener,
      RelayEngine.Staff staff) {
    lanes.put(message);
    RelaySettings settings =
        new RelaySettings(
            "ending",
            new RelaySettings.Leasing(Duration.ofSeconds(15), Duration.ofSeconds(5)),
            new RelaySettings.Volume(100, 1000, 1 << 20, 2),
            new RelaySettings.Deadlines(LONG, close, Duration.ofMillis(50), Duration.ZERO),
            new RelaySettings.Retries(RetryPolicy.standard(), Map.of()),
            Samples.GRACE,
            new GuardedListener("ending", List.of(listener)));
    engine = new RelayEngine(store, publisher, settings, staff);
  }

  private Publisher delivering() {
    return flight -> {
      flight.envelopes().forEach(each -> flight.ack(each, Ack.delivered()));
      published.countDown();
    };
  }

  /** Answers when the test lets it. */
  private Publisher waiting() {
    return flight -> {
      published.countDown();
      answer.await();
      flight.envelopes().forEach(each -> flight.ack(each, Ack.delivered()));
    };
  }

  private Thread stopInAThreadOfItsOwn() {
    Thread thread = new Thread(engine::stop);
    thread.start();
    return thread;
  }

  private List<Lane> releases() {
    return lanes.settlements.stream()
        .filter(each -> each.after() == Settlement.After.RELEASE)
        .map(each -> each.lease().lane())
        .toList();
  }

  private List<Fate> fates() {
    return lanes.settlements.stream().flatMap(each -> each.fates().stream()).toList();
  }

  private static void assertNoThreadIsLeft() throws InterruptedException {
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      if (each.getName().startsWith("outbox-ending-")) {
        each.join(10_000);
        assertThat(each.isAlive()).as(each.getName()).isFalse();
      }
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
