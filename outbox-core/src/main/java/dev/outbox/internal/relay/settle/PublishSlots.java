package dev.outbox.internal.relay.settle;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.PublishTask;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that are in a publisher, and those among them that are stuck there: their flight is
 * over, but the publisher has not returned.
 *
 * <p>Used by the loop thread; the tasks themselves report from theirs.
 */
/*
 * A thread that hangs in a publisher cannot be got back. For a while others take its place, so that one hanging topic does
 * not stop the rest. But not without end: with as many stuck as there are threads, nothing more is handed out, and the relay
 * gives its lanes to those that can do better, until some come back.
 */
public final class PublishSlots {
  private static final Duration AFTER_REFUSAL = Duration.ofMillis(100);

  /** How many publish deadlines a flight waits for a thread. */
  private static final int LONGEST_WAIT = 4;

  private static final Logger log = LoggerFactory.getLogger(PublishSlots.class);

  private final Set<Task> atWork = ConcurrentHashMap.newKeySet();
  private final Set<Task> queued = ConcurrentHashMap.newKeySet();
  private final AtomicLong newestBegun = new AtomicLong();
  private final PublishThreads threads;
  private final RelaySettings settings;
  private final Runnable returned;
  private final Set<Thread> inThePublisher;
  private final Ticker ticker;
  private final Duration longest;
  private volatile Ticker.Moment lastBegun;
  private long given;
  private int stuckBefore;
  private boolean hasStandIns = true;
  private Ticker.@Nullable Moment refused;
  private Ticker.@Nullable Moment withoutStandIn;

  /** {@code returned} is told of one that was stuck and came back. */
  public PublishSlots(
      RelaySettings settings,
      PublishThreads threads,
      Set<Thread> inThePublisher,
      Runnable returned,
      Ticker ticker) {
    this.threads = threads;
    this.settings = settings;
    this.returned = returned;
    this.inThePublisher = inThePublisher;
    this.ticker = ticker;
    this.longest = settings.deadlines().publish().multipliedBy(LONGEST_WAIT);
    this.lastBegun = ticker.now();
  }

  /** Publishes on a thread; one that no thread takes stays on the ground. */
  void give(PublishTask task) {
    Task each = new Task(task, ++given, ticker.now());
    queued.add(each);
    try {
      threads.execute(each);
      refused = null;
    } catch (RejectedExecutionException | OutOfMemoryError e) { // no thread can be started for now
      queued.remove(each);
      if (refused == null) {
        log.warn("relay={} executor rejected a batch, retrying", settings.name(), e);
      }
      refused = ticker.now();
      task.flight().ground();
    }
  }

  /**
   * Keeps those on the ground that waited for long and were left out: an executor may drop what it
   * took. One that is only slow begins them in turn; they would lose their place if they were given
   * again.
   */
  void groundForgotten() {
    if (queued.isEmpty()) {
      return;
    }
    Ticker.Moment now = ticker.now();
    boolean begins = now.surelySince(lastBegun).compareTo(longest) < 0;
    int forgotten = 0;
    for (Task each : Set.copyOf(queued)) {
      boolean leftOut = !begins || each.number < newestBegun.get();
      if (leftOut && now.surelySince(each.given).compareTo(longest) >= 0) {
        queued.remove(each);
        forgotten += each.task.flight().ground() ? 1 : 0;
      }
    }
    if (forgotten > 0) {
      log.warn(
          "relay={} executor took {} batches and did not run them within {}, retrying",
          settings.name(),
          forgotten,
          Durations.text(longest));
    }
  }

  private void tell(int stuck) {
    if (stuck == 0) {
      log.info("relay={} no thread is stuck in the publisher any more", settings.name());
    } else {
      log.warn(
          "relay={} {} threads are stuck in the publisher, the limit is {}; give its client a time-out below the publishDeadline, and restart to free those that never return",
          settings.name(),
          stuck,
          settings.volume().threads());
    }
  }

  /** Counts the stuck ones, logs when their number changes, and makes room for others. */
  public int noteStuck() {
    int stuck = atWork.isEmpty() ? 0 : (int) atWork.stream().filter(Task::isStuck).count();
    if (stuck != stuckBefore) {
      tell(stuck);
      stuckBefore = stuck;
      hasStandIns = false;
    }
    if (!hasStandIns && !isRecent(withoutStandIn)) {
      hasStandIns = standInFor(Math.min(stuck, settings.volume().threads()));
    }
    return stuck;
  }

  private boolean standInFor(int stuck) {
    try {
      threads.standInFor(stuck);
      withoutStandIn = null;
      return true;
    } catch (OutOfMemoryError e) { // no thread can be started for now
      if (withoutStandIn == null) {
        log.warn("relay={} no thread stands in for a stuck one, retrying", settings.name(), e);
      }
      withoutStandIn = ticker.now();
      return false;
    }
  }

  /** True when no thread was to be had just now. */
  public boolean wereRefused() {
    return isRecent(refused);
  }

  private boolean isRecent(Ticker.@Nullable Moment refusal) {
    return refusal != null && ticker.now().isWithin(AFTER_REFUSAL, refusal);
  }

  /** True when no more flights should be handed out. */
  public boolean areAllStuck() {
    return noteStuck() >= settings.volume().threads();
  }

  private final class Task implements Runnable {
    private final PublishTask task;
    private final long number;
    private final Ticker.Moment given;
    private final Thread loop = Thread.currentThread();

    Task(PublishTask task, long number, Ticker.Moment given) {
      this.task = task;
      this.number = number;
      this.given = given;
    }

    boolean isStuck() {
      return task.flight().isOverdue();
    }

    @Override
    public void run() {
      begin();
      atWork.add(this);
      inThePublisher.add(Thread.currentThread());
      try {
        task.run();
      } finally {
        inThePublisher.remove(Thread.currentThread());
        atWork.remove(this);
        passNoInterruptOn();
        if (isStuck()) {
          returned.run();
        }
      }
    }

    /** One that was left out and begins all the same says nothing of the others. */
    private void begin() {
      if (queued.remove(this)) {
        lastBegun = ticker.now();
        newestBegun.accumulateAndGet(number, Math::max);
      }
    }

    /**
     * An executor may run it where it is given, as one that is full and lets its caller run. The
     * publisher's own interrupt must not end the relay; a close asks first.
     */
    private void passNoInterruptOn() {
      if (Thread.currentThread() == loop) {
        Thread.interrupted();
      }
    }
  }
}
