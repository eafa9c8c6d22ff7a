package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IdleWaitTest {
  private static final Duration AN_HOUR = Duration.ofHours(1);

  private final IdleWait wait = new IdleWait(AN_HOUR);

  @Test
  void a_signal_before_the_rest_is_not_lost() throws InterruptedException {
    wait.signal();
    wait.await(AN_HOUR);
  }

  @Test
  void a_signal_ends_one_rest_only() throws InterruptedException {
    wait.signal();
    wait.signal();
    wait.await(AN_HOUR);

    long before = System.nanoTime();
    wait.await(Duration.ofMillis(20));
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(20_000_000);
  }

  @Test
  void no_signal_of_another_thread_is_lost() throws InterruptedException {
    for (int round = 0; round < 2000; round++) {
      Thread signaller = new Thread(wait::signal);
      signaller.start();
      wait.await(AN_HOUR);
      signaller.join();
    }
  }

  @Test
  void rests_grow_from_a_few_milliseconds_and_begin_anew_after_work() throws InterruptedException {
    assertThat(millisOf(() -> wait.rest(AN_HOUR))).isBetween(3L, 1000L);
    for (int i = 0; i < 30; i++) {
      wait.signal();
      wait.rest(AN_HOUR);
    }
    wait.reset();
    wait.rest(AN_HOUR);
  }

  @Test
  void a_rest_is_no_longer_than_asked() throws InterruptedException {
    for (int i = 0; i < 30; i++) {
      wait.signal();
      wait.rest(AN_HOUR);
    }
    wait.rest(Duration.ofMillis(1));
  }

  @Test
  void an_interrupt_ends_the_rest() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread resting =
        new Thread(
            () -> {
              try {
                wait.await(AN_HOUR);
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    resting.start();
    resting.interrupt();

    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private interface Rest {
    void take() throws InterruptedException;
  }

  private static long millisOf(Rest rest) throws InterruptedException {
    long before = System.nanoTime();
    rest.take();
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
  }
}
