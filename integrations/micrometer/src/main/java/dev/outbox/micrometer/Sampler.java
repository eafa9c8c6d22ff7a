package dev.outbox.micrometer;

import dev.outbox.Claiming;
import dev.outbox.Snapshot;
import dev.outbox.spi.OutboxStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the tables once in an interval, on a thread of its own, in one process of all that share
 * them.
 *
 * <p>Safe for use by many threads.
 */
/*
 * Who looks is the process whose relay owns the first lane: every relay knows its own lanes without asking, exactly one owns
 * that lane, and another takes it when that one dies. Where rows are claimed nobody owns a lane; there each process looks
 * now and then, and the one whose relay has the first name of those that live goes on.
 *
 * A scrape reads the last look. Without one, as in the processes that do not look, the gauges have no value.
 */
final class Sampler implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sampler.class);
  private static final Duration TURN = Duration.ofSeconds(1);
  private static final int INTERVALS_OF_OTHERS = 3;

  private final OutboxStore store;
  private final Relays relays;
  private final SamplePlan plan;
  private final ThreadFactory factory;
  private final List<Consumer<Snapshot>> heirs = new CopyOnWriteArrayList<>();
  private final Object turning = new Object();
  private @Nullable ScheduledExecutorService thread;
  private volatile @Nullable Sample sample;
  private long nextLook = System.nanoTime();
  private boolean failed;

  /** How often, how far counts go, and whether to look whoever else does. */
  record SamplePlan(Duration interval, long bound, boolean always) {}

  /** What was seen, and when. */
  record Sample(Snapshot snapshot, long nanos) {
    Duration age() {
      return Duration.ofNanos(System.nanoTime() - nanos);
    }
  }

  Sampler(OutboxStore store, Relays relays, SamplePlan plan) {
    this(store, relays, plan, Thread::new);
  }

  Sampler(OutboxStore store, Relays relays, SamplePlan plan, ThreadFactory factory) {
    this.store = store;
    this.relays = relays;
    this.plan = plan;
    this.factory = factory;
  }

  /** The last look, unless it is not this process that looks, or the database did not answer. */
  @Nullable Sample sample() {
    return sample;
  }

  /** Hears of each look. */
  void onSample(Consumer<Snapshot> heir) {
    heirs.add(heir);
  }

  /** Starts its thread, unless it runs. */
  synchronized void start() {
    if (thread == null) {
      ScheduledExecutorService next = Executors.newSingleThreadScheduledExecutor(this::daemon);
      ScheduledFuture<?> unused =
          next.scheduleWithFixedDelay(this::turn, 0, TURN.toMillis(), TimeUnit.MILLISECONDS);
      thread = next; // else the next start would take one that never ran for it
    }
  }

  private Thread daemon(Runnable run) {
    Thread daemon = factory.newThread(run);
    daemon.setName("outbox-metrics");
    daemon.setDaemon(true);
    return daemon;
  }

  private void turn() {
    turn(System.nanoTime());
  }

  /** Looks, if it is time, and for this process to look. */
  void turn(long now) {
    synchronized (turning) {
      try {
        if (!mayLook()) {
          sample = null;
          nextLook = now; // at once when it becomes ours
        } else if (now - nextLook >= 0) {
          nextLook = now + plan.interval().toNanos();
          take(look(now), now);
        }
      } catch (Throwable thrown) { // a schedule ends with the first throw
        sample = null;
        tell(thrown);
      }
    }
  }

  private boolean mayLook() {
    return plan.always()
        || ownsFirstLane()
        || (store.layout().claiming() == Claiming.ROWS && !relays.now().isEmpty());
  }

  private boolean ownsFirstLane() {
    return relays.owns(store.layout().firstLane().number());
  }

  private @Nullable Snapshot look(long now) {
    Snapshot seen = store.snapshot(plan.bound());
    failed = false;
    if (plan.always() || store.layout().claiming() == Claiming.LANES || hasFirst(seen)) {
      return seen;
    }
    boolean registered = seen.relays().stream().anyMatch(each -> relays.has(each.name()));
    Duration rest = registered ? plan.interval().multipliedBy(INTERVALS_OF_OTHERS) : TURN;
    nextLook = now + rest.toNanos();
    return null;
  }

  /** Where no lane has an owner. */
  private boolean hasFirst(Snapshot seen) {
    return !seen.relays().isEmpty() && relays.has(seen.relays().get(0).name());
  }

  private void take(@Nullable Snapshot seen, long now) {
    keep(seen == null ? null : new Sample(seen, now));
    if (seen != null) {
      heirs.forEach(heir -> heir.accept(seen));
    }
  }

  /** After the close nothing would ever take its place. */
  private synchronized void keep(@Nullable Sample taken) {
    sample = thread == null ? null : taken;
  }

  private void tell(Throwable thrown) {
    if (failed) {
      log.debug("the tables could not be looked at for metrics again", thrown);
    } else {
      log.warn("the tables could not be looked at for metrics; gauges have no value", thrown);
    }
    failed = true;
  }

  @Override
  public synchronized void close() {
    if (thread != null) {
      thread.shutdownNow();
      thread = null;
    }
    sample = null;
  }
}
