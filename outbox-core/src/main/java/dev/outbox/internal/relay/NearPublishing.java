package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes on the loop's own thread what is alone in flight, as long as the publisher returns at
 * once: for one message, two changes of threads take longer than most of its way.
 *
 * <p>Used by the thread that has the loop; what is published reports from any thread.
 */
/*
 * A publisher may hang, and a loop that hangs loses its leases. So the thread leaves the loop for as long as it is in the
 * publisher, and another one stands by: see IdleWait. While none does, because the other thread is the one that hangs,
 * a publish thread publishes. And so it does after a call of more than a millisecond, because then there may be
 * something else for the loop to do.
 *
 * There are never more calls at once than publish threads, as a publisher is promised.
 */
final class NearPublishing implements PublishThreads {
  private static final Logger log = LoggerFactory.getLogger(NearPublishing.class);
  private static final Duration QUICK = Duration.ofMillis(1);

  private final PublishThreads others;
  private final Calls calls;
  private final Ticker ticker;
  private int standIns;
  private volatile boolean isQuick;
  private @Nullable Runnable kept;

  /** Publishes on {@code others} what it does not keep; at most {@code atOnce} flights at once. */
  NearPublishing(PublishThreads others, int atOnce, Ticker ticker) {
    this.others = others;
    this.ticker = ticker;
    this.calls = new Calls(atOnce);
  }

  private static final class Calls extends Semaphore {
    private static final long serialVersionUID = 1L;

    Calls(int atOnce) {
      super(atOnce);
    }

    void change(int by) {
      if (by > 0) {
        release(by);
      } else {
        reducePermits(-by);
      }
    }
  }

  @Override
  public void execute(Runnable task) {
    others.execute(() -> runInTurn(task));
  }

  @Override
  public void executeAlone(Runnable task) {
    if (isQuick && kept == null && calls.tryAcquire()) {
      kept = task;
    } else {
      execute(task);
    }
  }

  @Override
  public void standInFor(int stuck) {
    calls.change(stuck - standIns);
    standIns = stuck;
    others.standInFor(stuck);
  }

  /** True when the turn has kept something to be published. */
  boolean hasKept() {
    return kept != null;
  }

  /** What the turn has kept for the thread of the loop, or null. */
  @Nullable Runnable take() {
    Runnable task = kept;
    kept = null;
    return task;
  }

  /** Publishes what was kept on a publish thread. */
  void elsewhere(Runnable task) {
    calls.release();
    try {
      execute(task);
    } catch (RejectedExecutionException e) {
      log.debug("the relay ends, what was to be published stays where it is", e);
    }
  }

  private void runInTurn(Runnable task) {
    try {
      calls.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return; // the relay ends, and the flight has not taken off
    }
    run(task);
  }

  /** Publishes what was kept; returns when the publisher does. */
  void run(Runnable task) {
    Ticker.Moment begun = ticker.now();
    try {
      task.run();
    } catch (Throwable thrown) { // which must not end the loop
      log.error("a flight ended by an internal error; its messages are tried again", thrown);
    } finally {
      isQuick = ticker.now().surelySince(begun).compareTo(QUICK) < 0;
      calls.release();
    }
  }
}
