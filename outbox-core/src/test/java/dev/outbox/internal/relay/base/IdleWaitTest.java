package dev.outbox.internal.relay.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IdleWaitTest {
  private static final Duration AN_HOUR = Duration.ofHours(1);

  private final IdleWait wait = new IdleWait();

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

    assertThatItRests();
  }

  @Test
  void a_signal_that_is_forgotten_ends_no_rest() throws InterruptedException {
    wait.signal();
    wait.forget();

    assertThatItRests();
  }

  private void assertThatItRests() throws InterruptedException {
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
}
