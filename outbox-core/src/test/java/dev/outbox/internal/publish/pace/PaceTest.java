package dev.outbox.internal.publish.pace;

import static dev.outbox.publish.RecordingFlight.keyed;
import static dev.outbox.publish.RecordingFlight.keyless;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RecordingFlight;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Windows and last calls. */
class PaceTest {
  private final ConcurrentLinkedDeque<CompletableFuture<String>> sends =
      new ConcurrentLinkedDeque<>();

  private CompletableFuture<String> start(Envelope envelope) {
    CompletableFuture<String> send = new CompletableFuture<>();
    sends.add(send);
    return send;
  }

  private static RecordingFlight many(int count) {
    return RecordingFlight.of(
        Stream.generate(RecordingFlight::keyless).limit(count).toArray(Envelope[]::new));
  }

  @Test
  void so_many_sends_are_under_way_at_a_time_over_all_flights() throws Exception {
    Publisher publisher = Publisher.async(this::start, 3);
    RecordingFlight one = many(3);
    RecordingFlight other = many(2);
    publisher.publish(one);
    publisher.classify(Ack::of).observed(envelopes -> () -> {}).publish(other);
    assertThat(sends).hasSize(3);

    sends.poll().complete("");
    sends.poll().completeExceptionally(new IllegalStateException("no"));
    assertThat(sends).hasSize(3);
    sends.forEach(send -> send.complete(""));
    assertThat(one.kinds())
        .containsExactly(Ack.Delivered.class, Ack.Failed.class, Ack.Delivered.class);
    assertThat(other.kinds()).containsOnly(Ack.Delivered.class);
  }

  @Test
  void who_waits_in_vain_is_not_sent_and_lets_the_next_in() throws Exception {
    Publisher publisher = Publisher.async(this::start, 1);
    RecordingFlight over = RecordingFlight.of(keyless(), keyless(), keyed("a"), keyed("a"));
    RecordingFlight next = many(1);
    publisher.publish(over);
    publisher.publish(next);
    over.over = true;
    sends.poll().complete("");

    assertThat(over.kinds())
        .containsExactly(
            Ack.Delivered.class, Ack.NotSent.class, Ack.NotSent.class, Ack.NotSent.class);
    assertThat(sends).hasSize(1);
    sends.poll().complete("");
    assertThat(next.kinds()).containsExactly(Ack.Delivered.class);
  }

  @Test
  void a_key_keeps_its_order_and_sends_that_end_at_once_do_not_recurse() throws Exception {
    Envelope[] hot = new Envelope[20_000];
    Arrays.setAll(hot, number -> keyed("hot"));
    List<Envelope> sent = new ArrayList<>();
    Publisher.async(
            envelope -> {
              sent.add(envelope);
              return CompletableFuture.completedFuture(null);
            },
            2)
        .publish(RecordingFlight.of(hot));
    assertThat(sent).containsExactly(hot);
  }

  @Test
  void nobody_is_forgotten_when_many_threads_come_and_go() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Publisher publisher =
        Publisher.async(
            envelope -> {
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              return CompletableFuture.runAsync(underWay::decrementAndGet, threads);
            },
            5);
    List<RecordingFlight> flights = Stream.generate(() -> many(500)).limit(20).toList();
    for (RecordingFlight flight : flights) {
      threads.execute(
          () -> {
            try {
              publisher.publish(flight);
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (flights.stream().anyMatch(each -> each.kinds().contains(Void.class))) {
      assertThat(System.nanoTime()).as("somebody was forgotten").isLessThan(end);
      Thread.onSpinWait();
    }
    threads.shutdown();
    assertThat(most.get()).isBetween(2, 5);
  }

  @Test
  void a_send_that_never_ends_keeps_its_place_no_longer_than_its_flight() throws Exception {
    Publisher publisher = Publisher.async(this::start, 1);
    RecordingFlight next = many(2);
    publisher.publish(new Timed(many(1), Instant.now()));
    CompletableFuture<String> endless = sends.poll();

    publisher.publish(next);
    assertThat(sends).hasSize(1);
    endless.complete("late");
    assertThat(sends).as("no second place").hasSize(1);
    sends.poll().complete("");
    sends.poll().complete("");

    assertThat(next.kinds()).containsOnly(Ack.Delivered.class);
  }

  @Test
  void a_lost_place_goes_to_one_that_waits_already() throws Exception {
    Window window = Window.of(1);
    AtomicBoolean lost = new AtomicBoolean();
    CountDownLatch started = new CountDownLatch(1);
    window.enter(List.of(new TestEntry(place -> {}, lost::get)));
    window.enter(List.of(new TestEntry(started::countDown)));
    lost.set(true);

    assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_start_that_throws_does_not_close_the_window_for_others() {
    Window window = Window.of(4);
    List<String> started = new ArrayList<>();
    Runnable failing =
        () -> {
          window.enter(List.of(new TestEntry(() -> started.add("behind it"))));
          throw new OutOfMemoryError("no heap");
        };
    assertThatThrownBy(() -> window.enter(List.of(new TestEntry(failing)))).hasMessage("no heap");
    window.enter(List.of(new TestEntry(() -> started.add("after it"))));

    assertThat(started).containsExactly("behind it", "after it");
  }

  @Test
  void a_window_has_room_for_one_at_least() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Publisher.async(this::start, 0))
        .withMessage("atOnce is 0, the minimum is 1");
  }

  /** A flight with that much time. */
  private record Timed(RecordingFlight flight, Instant deadline) implements Flight {
    @Override
    public List<Envelope> envelopes() {
      return flight.envelopes();
    }

    @Override
    public boolean shouldStop() {
      return flight.shouldStop();
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      flight.ack(envelope, ack);
    }

    @Override
    public Connection transaction() {
      return flight.transaction();
    }
  }

  private static RecordingFlight fly(Publisher publisher, Duration time, Duration longestSend)
      throws Exception {
    RecordingFlight flight = many(1);
    publisher.longestSend(longestSend).publish(new Timed(flight, Instant.now().plus(time)));
    return flight;
  }

  @Test
  void no_send_begins_that_could_outlast_its_flight() throws Exception {
    Publisher late =
        flight -> flight.ack(flight.envelopes().get(0), Ack.notSent("" + stops(flight)));
    Duration minute = Duration.ofMinutes(1);
    RecordingFlight open = fly(late, minute, Duration.ofSeconds(30));
    assertThat(open.answer(open.envelopes().get(0))).isEqualTo(Ack.notSent("false"));

    RecordingFlight over = fly(late, minute, minute.minusMillis(300));
    assertThat(over.answer(over.envelopes().get(0))).isEqualTo(Ack.notSent("true"));
  }

  private static boolean stops(Flight flight) {
    long soon = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(310);
    while (System.nanoTime() < soon) {
      Thread.onSpinWait();
    }
    return flight.shouldStop();
  }

  @Test
  void a_flight_that_is_too_short_for_any_send_is_unavailable_with_the_remedy() throws Exception {
    RecordingFlight flight =
        fly(Publisher.async(this::start), Duration.ofSeconds(5), Duration.ofSeconds(6));
    assertThat(sends).isEmpty();
    assertThat(flight.answer(flight.envelopes().get(0)))
        .isInstanceOfSatisfying(
            Ack.Unavailable.class,
            ack ->
                assertThat(ack.cause())
                    .hasMessageContaining("a send may take PT6S; set publishDeadline(..)"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Publisher.async(this::start).longestSend(Duration.ZERO))
        .withMessage("longestSend is PT0S, it must be positive; name the client's time-out");
  }
}
