package dev.outbox.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A relay of two publish threads, whose publisher does not return from the messages of a topic. */
@Timeout(60)
class HangingPublisherTest {
  private static final String HANGING = "hanging";

  private final ScriptedLanes lanes = new ScriptedLanes(4);
  private final Threads threads = new Threads();
  private final SteppedRelay relay = new SteppedRelay(lanes, SteppedRelay.SETTINGS, threads);

  @AfterEach
  void letAllReturn() throws InterruptedException {
    threads.end();
  }

  @Test
  void threads_that_hang_are_counted_and_replaced_also_when_their_lanes_are_lost() {
    relay.broker = this::answer;
    put(0, HANGING);
    put(1, HANGING);
    relay.pass(1000);
    lanes.fenced.addAll(List.of(new Lane(0), new Lane(1)));
    relay.pass(9000);
    List<Envelope> others = List.of(put(2, Samples.TOPIC), put(3, Samples.TOPIC));
    relay.pass(10_000);
    assertThat(relay.envelopes())
        .as("no thread is left for them")
        .doesNotContainAnyElementsOf(others);

    relay.pass(20_000);

    assertThat(relay.status().stuckThreads()).isEqualTo(2);
    assertThat(relay.envelopes()).containsAll(others);
  }

  private Envelope put(int lane, String topic) {
    StoredEnvelope message =
        StoredEnvelope.ready(lane + 1, new Lane(lane), Samples.envelope(topic, null));
    lanes.put(message);
    return message.envelope();
  }

  private Ack answer(Envelope envelope) {
    if (envelope.topic().equals(HANGING)) {
      threads.hang();
    }
    return Ack.delivered();
  }

  /** Threads that take turns with the loop: each runs until its publisher returns or hangs. */
  private static final class Threads implements PublishThreads {
    private final List<Thread> started = new ArrayList<>();
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private final Semaphore paused = new Semaphore(0);
    private final Semaphore release = new Semaphore(0);
    private int free = 2;
    private int standIns;
    private volatile boolean hung;

    @Override
    public void execute(Runnable task) {
      queue.add(task);
      serve();
    }

    @Override
    public void standInFor(int stuck) {
      free += stuck - standIns;
      standIns = stuck;
      serve();
    }

    private void serve() {
      while (free > 0 && !queue.isEmpty()) {
        run(queue.remove());
      }
    }

    private void run(Runnable task) {
      Thread thread =
          new Thread(
              () -> {
                task.run();
                paused.release();
              });
      started.add(thread);
      hung = false;
      thread.start();
      paused.acquireUninterruptibly();
      free -= hung ? 1 : 0;
    }

    /** Keeps the calling thread until the end. */
    void hang() {
      hung = true;
      paused.release();
      release.acquireUninterruptibly();
    }

    void end() throws InterruptedException {
      release.release(started.size());
      for (Thread each : started) {
        each.join();
      }
    }
  }
}
