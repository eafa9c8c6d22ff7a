package dev.outbox.internal.relay.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.IdleWait;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.lane.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Real writers against a loop that waits for a day unless it is woken: what is lost is never found.
 */
@Timeout(120)
class WakeupRaceTest {
  private static final int LANES = 8;
  private static final int WRITERS = 4;
  private static final int EACH = 2000;

  private final AtomicIntegerArray committed = new AtomicIntegerArray(LANES);
  private final CountDownLatch left = new CountDownLatch(WRITERS * EACH);
  private final IdleWait wait = new IdleWait();
  private final WakeupQueue queue = new WakeupQueue(wait::signal, Ticker.system());
  private final Thread loop = new Thread(this::loop, "loop");

  @AfterEach
  void endTheLoop() throws InterruptedException {
    loop.interrupt();
    loop.join();
  }

  @Test
  void no_news_of_an_adapter_is_lost() throws InterruptedException {
    everythingArrives(lane -> queue.woken(commit(lane)));
  }

  @Test
  void no_news_committed_before_its_hint_is_lost() throws InterruptedException {
    everythingArrives(lane -> queue.hinted(commit(lane)));
  }

  @Test
  void no_news_between_a_hint_and_a_wake_up_from_anywhere_is_lost() throws InterruptedException {
    loop.start();
    Random random = new Random(7);
    for (int number = 0; number < EACH; number++) {
      Lane lane = new Lane(random.nextInt(LANES));
      queue.hinted(Set.of(lane));
      LockSupport.parkNanos(random.nextInt(2_000_000));
      commit(lane);
      queue.woken(Set.of());
      while (committed.get(lane.number()) > 0) {
        LockSupport.parkNanos(20_000);
      }
    }
  }

  private Set<Lane> commit(Lane lane) {
    committed.incrementAndGet(lane.number());
    return Set.of(lane);
  }

  private void everythingArrives(Consumer<Lane> writing) throws InterruptedException {
    loop.start();
    List<Thread> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      Random random = new Random(writer);
      Thread thread = new Thread(() -> write(writing, random));
      thread.start();
      writers.add(thread);
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(left.await(60, TimeUnit.SECONDS)).as("%d were not found", left.getCount()).isTrue();
  }

  private static void write(Consumer<Lane> writing, Random random) {
    for (int number = 0; number < EACH; number++) {
      writing.accept(new Lane(random.nextInt(LANES)));
      LockSupport.parkNanos(random.nextInt(100_000));
    }
  }

  private void loop() {
    try {
      while (true) {
        WakeupQueue.Woken woken = queue.take(Ticker.system().now());
        Set<Lane> found = new TreeSet<>();
        for (int lane = 0; lane < LANES; lane++) {
          if (woken.everywhere() || woken.lanes().contains(new Lane(lane))) {
            read(new Lane(lane), found);
          }
        }
        queue.found(found);
        wait.await(queue.next(Ticker.system().now()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void read(Lane lane, Set<Lane> found) {
    int news = committed.getAndSet(lane.number(), 0);
    for (int each = 0; each < news; each++) {
      found.add(lane);
      left.countDown();
    }
  }
}
