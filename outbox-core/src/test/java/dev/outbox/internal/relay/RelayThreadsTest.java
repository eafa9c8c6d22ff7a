package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
