package dev.outbox.internal.relay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PublishPoolTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Set<Thread> started = ConcurrentHashMap.newKeySet();
  private final CountDownLatch release = new CountDownLatch(1);
  private PublishPool pool = pool(1, LONG);

  @AfterEach
  void end() {
    release.countDown();
    pool.close();
  }

  @Test
  void after_a_burst_one_thread_runs_all_that_comes_one_by_one() throws InterruptedException {
    pool = pool(8, LONG);
    burst(8);
    Set<Thread> used = ConcurrentHashMap.newKeySet();

    for (int task = 0; task < 100; task++) {
      CountDownLatch ran = new CountDownLatch(1);
      pool.execute(
          () -> {
            used.add(Thread.currentThread());
            ran.countDown();
          });
      ran.await();
      awaitIdle();
    }

    assertThat(started).hasSize(8);
    assertThat(used).hasSize(1);
  }

  @Test
  void one_thread_is_enough_for_what_comes_one_by_one() throws InterruptedException {
    pool = pool(8, LONG);
    for (int task = 0; task < 100; task++) {
      burst(1);
    }

    assertThat(started).hasSize(1);
  }

  @Test
  void threads_without_a_task_end_and_new_ones_are_started() throws InterruptedException {
    pool = pool(4, Duration.ofMillis(1));
    burst(4);
    for (Thread thread : started) {
      thread.join();
    }

    burst(4);

    assertThat(started).hasSize(8);
  }

  @Test
  void what_finds_no_thread_waits_for_one() throws InterruptedException {
    pool = pool(2, LONG);
    CountDownLatch all = new CountDownLatch(20);
    CountDownLatch begun = new CountDownLatch(3);
    for (int task = 0; task < 20; task++) {
      pool.execute(
          () -> {
            begun.countDown();
            awaitQuietly(release);
            all.countDown();
          });
    }

    assertThat(begun.await(200, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(begun.getCount()).isEqualTo(1);
    release.countDown();
    assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(started).hasSize(2);
  }

  @Test
  void another_thread_publishes_in_the_place_of_a_stuck_one() throws InterruptedException {
    hang();
    CountDownLatch published = new CountDownLatch(1);
    pool.execute(published::countDown);

    pool.standInFor(1);

    assertThat(published.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_stand_in_that_could_not_be_started_takes_what_waits_when_it_can() throws Exception {
    AtomicBoolean none = new AtomicBoolean();
    pool = withoutThreads(none::get);
    CountDownLatch published = new CountDownLatch(1);
    hang();
    pool.execute(published::countDown);
    none.set(true);
    assertThatThrownBy(() -> pool.standInFor(1)).isInstanceOf(OutOfMemoryError.class);

    none.set(false);
    pool.standInFor(1);

    assertThat(published.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_task_without_a_thread_is_not_kept() throws InterruptedException {
    AtomicInteger threads = new AtomicInteger();
    pool = withoutThreads(() -> threads.incrementAndGet() == 1);
    AtomicBoolean ran = new AtomicBoolean();
    assertThatThrownBy(() -> pool.execute(() -> ran.set(true)))
        .isInstanceOf(OutOfMemoryError.class);

    CountDownLatch second = new CountDownLatch(2);
    pool.execute(second::countDown);
    pool.execute(second::countDown);

    assertThat(second.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(ran).isFalse();
  }

  @Test
  void a_thread_that_does_not_start_takes_no_place() throws InterruptedException {
    AtomicInteger threads = new AtomicInteger();
    pool =
        new PublishPool(
            1,
            LONG,
            task -> {
              Thread thread = new Thread(task);
              if (threads.incrementAndGet() == 1) {
                thread.start(); // so the pool's own start fails
              }
              return thread;
            });
    assertThatThrownBy(() -> pool.execute(() -> {}))
        .isInstanceOf(IllegalThreadStateException.class);

    CountDownLatch published = new CountDownLatch(1);
    pool.execute(published::countDown);

    assertThat(published.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void one_that_is_too_many_ends_with_its_task() throws InterruptedException {
    pool = pool(1, LONG);
    pool.standInFor(1);
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch ended = new CountDownLatch(4);
    Runnable waits =
        () -> {
          begun.countDown();
          awaitQuietly(release);
          ended.countDown();
        };
    pool.execute(waits);
    pool.execute(waits);
    begun.await();
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger highest = new AtomicInteger();
    for (int task = 0; task < 2; task++) {
      pool.execute(
          () -> {
            highest.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            sleep();
            atOnce.decrementAndGet();
            ended.countDown();
          });
    }

    pool.standInFor(0);
    release.countDown();

    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(highest).hasValue(1);
  }

  @Test
  void the_stand_in_goes_when_the_stuck_one_is_back() throws InterruptedException {
    hang();
    pool.standInFor(1);
    CountDownLatch stoodIn = new CountDownLatch(1);
    pool.execute(stoodIn::countDown);
    stoodIn.await();
    release.countDown();
    awaitIdle();
    pool.standInFor(0);

    CountDownLatch atOnce = new CountDownLatch(2);
    CountDownLatch hold = new CountDownLatch(1);
    for (int task = 0; task < 2; task++) {
      pool.execute(
          () -> {
            atOnce.countDown();
            awaitQuietly(hold);
          });
    }

    assertThat(atOnce.await(200, TimeUnit.MILLISECONDS)).isFalse();
    hold.countDown();
    assertThat(atOnce.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void an_interrupt_that_a_task_leaves_behind_reaches_no_other() throws InterruptedException {
    AtomicInteger interrupted = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(3);
    for (int task = 0; task < 3; task++) {
      pool.execute(
          () -> {
            interrupted.addAndGet(Thread.interrupted() ? 1 : 0);
            Thread.currentThread().interrupt();
            all.countDown();
          });
    }
    all.await();
    burst(1);

    assertThat(interrupted).hasValue(0);
    assertThat(started).hasSize(1);
  }

  @Test
  void an_error_ends_its_thread_and_another_takes_what_waits() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    pool =
        new PublishPool(
            1,
            LONG,
            task -> {
              Thread thread = new Thread(task);
              thread.setUncaughtExceptionHandler((ended, error) -> told.countDown());
              return thread;
            });
    CountDownLatch begun = new CountDownLatch(1);
    pool.execute(
        () -> {
          begun.countDown();
          awaitQuietly(release);
          throw new StackOverflowError("made up");
        });
    begun.await();
    CountDownLatch published = new CountDownLatch(1);
    pool.execute(published::countDown);

    release.countDown();

    assertThat(published.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_close_interrupts_drops_what_waits_and_refuses_more() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    AtomicBoolean ran = new AtomicBoolean();
    pool.execute(
        () -> {
          entered.countDown();
          awaitQuietly(release);
          if (Thread.currentThread().isInterrupted()) {
            interrupted.countDown();
          }
        });
    entered.await();
    pool.execute(() -> ran.set(true));

    pool.close();

    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    joinAll();
    assertThat(ran).isFalse();
  }

  @Test
  void a_close_ends_idle_threads() throws InterruptedException {
    pool = pool(3, LONG);
    burst(3);
    awaitIdle();

    pool.close();

    joinAll();
  }

  @Test
  void every_task_runs_once_whatever_comes_between() throws InterruptedException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      PublishPool many = pool(1 + random.nextInt(4), Duration.ofNanos(random.nextInt(200_000)));
      int tasks = 300;
      AtomicIntegerArray runs = new AtomicIntegerArray(tasks);
      CountDownLatch all = new CountDownLatch(tasks);
      for (int task = 0; task < tasks; task++) {
        int number = task;
        int kind = random.nextInt(100);
        if (kind == 0) {
          many.standInFor(random.nextInt(3));
        }
        many.execute(
            () -> {
              runs.incrementAndGet(number);
              all.countDown();
              if (kind == 1) {
                Thread.currentThread().interrupt();
              }
            });
        if (kind < 3) {
          TimeUnit.MICROSECONDS.sleep(random.nextInt(300));
        }
      }
      assertThat(all.await(60, TimeUnit.SECONDS)).as("seed %d round %d", seed, round).isTrue();
      many.close();
      for (int task = 0; task < tasks; task++) {
        assertThat(runs.get(task)).isEqualTo(1);
      }
    }
  }

  private PublishPool pool(int number, Duration longestIdle) {
    ThreadFactory factory =
        task -> {
          Thread thread = new Thread(task);
          thread.setDaemon(true);
          started.add(thread);
          return thread;
        };
    return new PublishPool(number, longestIdle, factory);
  }

  /** Of one thread, which cannot be had while {@code none}. */
  private static PublishPool withoutThreads(BooleanSupplier none) {
    return new PublishPool(
        1,
        LONG,
        task -> {
          if (none.getAsBoolean()) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return new Thread(task);
        });
  }

  /** That many tasks which wait for each other. */
  private void burst(int tasks) throws InterruptedException {
    CountDownLatch all = new CountDownLatch(tasks);
    for (int task = 0; task < tasks; task++) {
      pool.execute(
          () -> {
            all.countDown();
            awaitQuietly(all);
          });
    }
    all.await();
    awaitIdle();
  }

  private void awaitIdle() throws InterruptedException {
    for (Thread thread : started) {
      while (thread.getState() != Thread.State.TIMED_WAITING
          && thread.getState() != Thread.State.TERMINATED) {
        TimeUnit.MICROSECONDS.sleep(50);
      }
    }
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void joinAll() throws InterruptedException {
    for (Thread thread : started) {
      thread.join();
    }
  }

  private void hang() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    pool.execute(
        () -> {
          entered.countDown();
          awaitQuietly(release);
        });
    entered.await();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
