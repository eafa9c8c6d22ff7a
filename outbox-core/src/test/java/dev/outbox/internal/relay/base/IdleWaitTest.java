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
  private CountDownLatch taken = new CountDownLatch(1);
  private Thread standingBy = new Thread();
  private long fastest = Long.MAX_VALUE;

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

  @Test
  void the_loop_is_left_only_to_a_thread_that_stands_by() {
    assertThat(wait.leave()).isFalse();
  }

  @Test
  void a_thread_that_comes_back_soon_keeps_the_loop() throws InterruptedException {
    standBy();
    leave();
    wait.signal();

    assertThat(wait.comeBack()).isTrue();
    assertThat(taken.getCount()).isEqualTo(1);
  }

  @Test
  void a_thread_that_does_not_come_back_loses_the_loop() throws InterruptedException {
    standBy();
    leave();

    taken.await();

    assertThat(wait.comeBack()).isFalse();
  }

  @Test
  void a_signal_of_another_thread_is_answered_although_the_loop_is_left() throws Exception {
    for (int round = 0; round < 200; round++) {
      taken = new CountDownLatch(1);
      standBy();
      leave();
      long before = System.nanoTime();
      Thread signaller = new Thread(wait::signal);
      signaller.start();

      taken.await();
      fastest = Math.min(fastest, System.nanoTime() - before);
      signaller.join();
      assertThat(wait.comeBack()).isFalse();
    }
    assertThat(fastest).as("it was not only the time that was over").isLessThan(10_000_000);
  }

  @Test
  void who_stands_by_watches_again_after_it_has_dozed() throws InterruptedException {
    standBy();
    for (int round = 0; round < 3; round++) {
      leave();
      assertThat(wait.comeBack()).isTrue();
      TimeUnit.NANOSECONDS.timedJoin(standingBy, 50_000_000);
    }
    leave();

    taken.await();
  }

  @Test
  void no_thread_stands_by_when_the_loop_is_over() throws InterruptedException {
    standBy();
    wait.end();

    standingBy.join();

    assertThat(taken.getCount()).isEqualTo(1);
    assertThat(wait.leave()).isFalse();
  }

  private void standBy() {
    CountDownLatch signalled = taken;
    standingBy =
        new Thread(
            () -> {
              try {
                if (wait.standBy()) {
                  signalled.countDown();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    standingBy.start();
  }

  /** As soon as the other thread stands by. */
  private void leave() {
    while (!wait.leave()) {
      Thread.onSpinWait();
    }
  }
}
