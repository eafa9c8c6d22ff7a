package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RelayThreadsTest {
  private final RelayThreads threads = new RelayThreads("threads-test", 1, null, Thread::new);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void endThem() {
    release.countDown();
    threads.interrupt();
  }

  @Test
  void another_thread_publishes_in_the_place_of_a_stuck_one() throws InterruptedException {
    hang();
    CountDownLatch published = new CountDownLatch(1);
    threads.publishing().execute(published::countDown);
    assertThat(published.getCount()).isEqualTo(1);

    threads.publishing().standInFor(1);

    assertThat(published.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_stand_in_that_could_not_be_started_takes_what_waits_when_it_can() throws Exception {
    AtomicBoolean none = new AtomicBoolean();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            task -> {
              if (none.get()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return new Thread(task);
            });
    RelayThreads.Own own = new RelayThreads.Own(pool, 1);
    CountDownLatch published = new CountDownLatch(1);
    try {
      own.execute(() -> awaitQuietly(release));
      own.execute(published::countDown);
      none.set(true);
      assertThatThrownBy(() -> own.standInFor(1)).isInstanceOf(OutOfMemoryError.class);

      none.set(false);
      own.standInFor(1);

      assertThat(published.await(10, TimeUnit.SECONDS)).isTrue();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void the_stand_in_goes_when_the_stuck_one_is_back() throws InterruptedException {
    hang();
    threads.publishing().standInFor(1);
    release.countDown();
    threads.publishing().standInFor(0);

    CountDownLatch atOnce = new CountDownLatch(2);
    CountDownLatch hold = new CountDownLatch(1);
    for (int task = 0; task < 2; task++) {
      threads
          .publishing()
          .execute(
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
  void an_executor_of_the_user_is_used_and_never_shut_down() throws InterruptedException {
    ExecutorService own = Executors.newSingleThreadExecutor();
    try {
      RelayThreads guests = new RelayThreads("threads-test", 1, own, Thread::new);
      CountDownLatch published = new CountDownLatch(1);
      guests.publishing().execute(published::countDown);
      guests.interrupt();

      assertThat(published.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(own.isShutdown()).isFalse();
    } finally {
      own.shutdownNow();
    }
  }

  @Test
  void all_are_daemons_named_after_the_relay() throws InterruptedException {
    CountDownLatch named = new CountDownLatch(2);
    Runnable look =
        () -> {
          Thread self = Thread.currentThread();
          if (self.isDaemon() && self.getName().startsWith("outbox-threads-test-")) {
            named.countDown();
          }
        };
    threads.startLoop("loop", look);
    threads.publishing().execute(look);

    assertThat(named.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void waits_for_the_loops_no_longer_than_it_is_asked() {
    threads.startLoop("loop", () -> awaitQuietly(release));
    assertThat(threads.areLoopsAlive()).isTrue();
    assertThat(threads.await(Duration.ofMillis(20))).isFalse();

    release.countDown();
    assertThat(threads.await(Duration.ofSeconds(30))).isTrue();
    assertThat(threads.areLoopsAlive()).isFalse();
  }

  @Test
  void an_interrupted_thread_lets_the_keeper_end_by_itself() throws InterruptedException {
    AtomicReference<Boolean> keeperInterrupted = new AtomicReference<>();
    threads.startKeeper(
        () -> {
          awaitQuietly(release);
          keeperInterrupted.set(Thread.currentThread().isInterrupted());
        });
    AtomicReference<Boolean> stillInterrupted = new AtomicReference<>();
    Thread ending =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              threads.endKeeper(Duration.ofSeconds(30));
              stillInterrupted.set(Thread.currentThread().isInterrupted());
            });
    ending.start();
    ending.join(100);

    release.countDown();
    ending.join();

    assertThat(keeperInterrupted).hasValue(false);
    assertThat(stillInterrupted).hasValue(true);
  }

  @Test
  void an_interrupt_ends_what_is_left() {
    threads.startLoop("loop", () -> awaitQuietly(release));

    threads.interrupt();

    assertThat(threads.await(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void knows_its_loops_from_other_threads() throws InterruptedException {
    CountDownLatch known = new CountDownLatch(1);
    threads.startLoop(
        "loop",
        () -> {
          if (threads.isLoop(Thread.currentThread())) {
            known.countDown();
          }
        });

    assertThat(known.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(threads.isLoop(Thread.currentThread())).isFalse();
  }

  private void hang() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    threads
        .publishing()
        .execute(
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
