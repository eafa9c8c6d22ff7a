package dev.outbox.internal.relay.settle;

import static dev.outbox.internal.relay.Samples.atSecond;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.CountingObserver;
import dev.outbox.internal.relay.Samples;
import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.flight.PublishTask;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay of two publish threads. */
@Timeout(60)
class PublishSlotsTest {
  private final CountingObserver observer = new CountingObserver();
  private final Threads threads = new Threads();
  private final AtomicInteger returned = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private Ticker.Moment now = atSecond(0);
  private final PublishSlots publishSlots =
      new PublishSlots(
          Samples.settings(RelayListener.SILENT),
          threads,
          ConcurrentHashMap.newKeySet(),
          returned::incrementAndGet,
          () -> now);

  @AfterEach
  void letAllReturn() throws InterruptedException {
    release.countDown();
    threads.join();
  }

  @Test
  void a_publisher_at_work_is_not_stuck_however_long_it_takes() throws InterruptedException {
    hang();

    assertThat(publishSlots.noteStuck()).isZero();
    assertThat(threads.standIns).isEmpty();
  }

  @Test
  void one_that_has_not_returned_when_its_flight_is_over_is_stuck_and_another_stands_in()
      throws InterruptedException {
    overdue(hang());

    assertThat(publishSlots.noteStuck()).isEqualTo(1);
    assertThat(publishSlots.noteStuck()).isEqualTo(1);
    assertThat(publishSlots.areAllStuck()).isFalse();
    assertThat(threads.standIns).containsExactly(1);
  }

  @Test
  void with_as_many_stuck_as_there_are_threads_all_are() throws InterruptedException {
    overdue(hang());
    overdue(hang());

    assertThat(publishSlots.areAllStuck()).isTrue();
  }

  @Test
  void no_more_stand_in_than_there_are_threads() throws InterruptedException {
    for (int flight = 0; flight < 5; flight++) {
      overdue(hang());
      publishSlots.noteStuck();
    }

    assertThat(publishSlots.noteStuck()).isEqualTo(5);
    assertThat(threads.standIns).containsExactly(1, 2, 2, 2, 2);
  }

  @Test
  void one_that_comes_back_wakes_the_loop_and_takes_its_place_again() throws InterruptedException {
    overdue(hang());
    overdue(hang());
    assertThat(publishSlots.areAllStuck()).isTrue();

    release.countDown();
    threads.join();

    assertThat(returned).hasValue(2);
    assertThat(publishSlots.areAllStuck()).isFalse();
    assertThat(threads.standIns).containsExactly(2, 0);
  }

  @Test
  void one_that_returns_in_time_wakes_nobody() throws InterruptedException {
    hang();

    release.countDown();
    threads.join();

    assertThat(returned).hasValue(0);
  }

  @Test
  void a_publisher_that_throws_is_not_at_work_any_more() throws InterruptedException {
    OpenFlight flight = flight();
    publishSlots.give(
        task(
            flight,
            each -> {
              throw new AssertionError("bug");
            }));
    threads.join();
    overdue(flight);

    assertThat(publishSlots.noteStuck()).isZero();
  }

  @Test
  void a_flight_that_no_thread_takes_stays_on_the_ground() {
    threads.full = true;
    OpenFlight flight = flight();

    publishSlots.give(task(flight, each -> {}));

    assertThat(flight.isGrounded()).isTrue();
    assertThat(publishSlots.noteStuck()).isZero();
  }

  /** A relay that stops for good because the process had no thread left for a moment stops all. */
  @Test
  void so_does_one_for_which_no_thread_can_be_started() {
    threads.cannotStart = true;
    OpenFlight flight = flight();

    publishSlots.give(task(flight, each -> {}));

    assertThat(flight.isGrounded()).isTrue();
    assertThat(publishSlots.wereRefused()).isTrue();
  }

  @Test
  void a_stand_in_that_cannot_be_started_is_started_later() throws InterruptedException {
    overdue(hang());
    threads.cannotStart = true;
    assertThat(publishSlots.noteStuck()).isEqualTo(1);

    threads.cannotStart = false;
    publishSlots.noteStuck();
    assertThat(threads.standIns).as("none is asked for all the time").isEmpty();
    now = atSecond(1);
    publishSlots.noteStuck();
    publishSlots.noteStuck();

    assertThat(threads.standIns).containsExactly(1);
  }

  @Test
  void one_that_has_answered_all_and_is_about_to_return_is_not_stuck() throws InterruptedException {
    OpenFlight flight = hang();
    observer.now = atSecond(29);
    flight.land();

    assertThat(publishSlots.noteStuck()).isZero();
  }

  private void overdue(OpenFlight flight) {
    observer.now = atSecond(30);
    flight.land();
  }

  /** A flight whose publisher is known to be at work. */
  private OpenFlight hang() throws InterruptedException {
    OpenFlight flight = flight();
    CountDownLatch entered = new CountDownLatch(1);
    publishSlots.give(
        task(
            flight,
            each -> {
              entered.countDown();
              release.await();
            }));
    entered.await();
    return flight;
  }

  private OpenFlight flight() {
    return new OpenFlight(List.of(Samples.ready(1, "a")), null, observer);
  }

  private static PublishTask task(OpenFlight flight, Publisher publisher) {
    return new PublishTask(
        publisher, flight, () -> atSecond(0), Duration.ofSeconds(30), () -> true);
  }

  private static final class Threads implements PublishThreads {
    private final List<Thread> started = new ArrayList<>();
    private final List<Integer> standIns = new ArrayList<>();
    private boolean full;
    private boolean cannotStart;

    @Override
    public void execute(Runnable task) {
      requireStart();
      if (full) {
        throw new RejectedExecutionException("full");
      }
      Thread thread = new Thread(task);
      started.add(thread);
      thread.start();
    }

    @Override
    public void standInFor(int stuck) {
      requireStart();
      standIns.add(stuck);
    }

    private void requireStart() {
      if (cannotStart) {
        throw new OutOfMemoryError("unable to create native thread");
      }
    }

    void join() throws InterruptedException {
      for (Thread each : started) {
        each.join();
      }
    }
  }
}
