package dev.outbox.internal.relay;

import dev.outbox.Claiming;
import dev.outbox.RelayStatus;
import dev.outbox.internal.relay.base.IdleWait;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.read.WakeupQueue;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running relay: its loops on their threads, woken by the store's wake-ups. Running from
 * construction on.
 *
 * <p>Safe for use by many threads.
 */
public final class RelayEngine {
  private static final Logger log = LoggerFactory.getLogger(RelayEngine.class);
  private static final Duration SLACK = Duration.ofSeconds(2);
  private static final Duration LAST_WORDS = Duration.ofMillis(500);
  private static final Duration FOR_EVER = Duration.ofDays(3650);

  private final RelaySettings settings;
  private final RelayThreads threads;
  private final RelayState relayState = new RelayState();
  private final List<RelayLoop> loops = new ArrayList<>();
  private final List<Wakeup.Subscription> subscriptions = new ArrayList<>();
  private final @Nullable ArchivePurgeLoop purging;
  private final List<AutoCloseable> owned;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Thread closing;
  private volatile boolean withdrawn;

  /**
   * What a relay runs with: that many workers, by rows only, the user's executor, if any, if it is
   * to purge the archive, how old messages become there, and what is closed with it.
   */
  public record Staff(
      int workers,
      @Nullable Executor executor,
      @Nullable Duration archiveRetention,
      List<AutoCloseable> owned) {
    public Staff {
      owned = List.copyOf(owned);
    }

    /** Staff that does not purge and owns nothing. */
    public Staff(int workers, @Nullable Executor executor) {
      this(workers, executor, null, List.of());
    }
  }

  /**
   * Starts a relay with its workers where the tables are claimed by rows, and one loop otherwise.
   */
  public RelayEngine(OutboxStore store, Publisher publisher, RelaySettings settings, Staff staff) {
    this(store, publisher, settings, staff, Thread::new);
  }

  RelayEngine(
      OutboxStore store,
      Publisher publisher,
      RelaySettings settings,
      Staff staff,
      ThreadFactory factory) {
    this.settings = settings;
    this.threads =
        new RelayThreads(settings.name(), settings.volume().threads(), staff.executor(), factory);
    this.owned = staff.owned();
    this.purging = purging(store, staff.archiveRetention());
    boolean byRows = store.layout().claiming() == Claiming.ROWS;
    try {
      for (int number = 1; number <= (byRows ? staff.workers() : 1); number++) {
        add(store, publisher, byRows);
      }
      start(byRows);
    } catch (Throwable thrown) { // an Error too, as when no thread can be started
      withdraw(); // the caller gets no engine that it could stop
      throw thrown;
    }
  }

  private @Nullable ArchivePurgeLoop purging(OutboxStore store, @Nullable Duration retention) {
    if (retention == null) {
      return null;
    }
    String name = settings.name();
    return new ArchivePurgeLoop(
        new ArchivePurge(store::purgeArchive, name, retention, Ticker.system(), relayState.random),
        name);
  }

  private void add(OutboxStore store, Publisher publisher, boolean byRows) {
    IdleWait wait = new IdleWait();
    Ticker ticker = Ticker.system();
    WakeupQueue wakeupQueue = new WakeupQueue(wait::signal, ticker);
    Surroundings surroundings =
        new Surroundings(threads.publishing(), ticker, wait::signal, wakeupQueue, relayState);
    Worker worker =
        byRows
            ? new RowWorker(store, publisher, settings, surroundings)
            : new LaneWorker(store, publisher, settings, surroundings);
    loops.add(new RelayLoop(worker, wait, surroundings, settings));
    subscriptions.add(store.wakeup().subscribe(wakeupQueue));
  }

  /** Only when all of them exist: most failures come before anything is published. */
  private void start(boolean byRows) {
    for (int number = 1; number <= loops.size(); number++) {
      threads.startLoop(byRows ? "worker-" + number : "loop", loops.get(number - 1));
    }
    if (purging != null) {
      threads.startKeeper(purging);
    }
  }

  /**
   * An executor of virtual threads.
   *
   * @throws UnsupportedOperationException when this JDK has none
   */
  public static Executor virtualThreads() {
    return RelayThreads.virtual();
  }

  /** Stops when the JVM shuts down. */
  public void stopOnShutdown() {
    threads.atShutdown(this::stop);
  }

  /**
   * Stops claiming, lets what is in flight land until the close deadline, settles, releases its
   * lanes, then ends the threads and closes what the relay owns. A second call waits for the first.
   * Called from one of the relay's own threads it does not wait.
   */
  public void stop() {
    boolean first = stopped.compareAndSet(false, true);
    if (first) {
      subscriptions.forEach(Wakeup.Subscription::close);
      loops.forEach(RelayLoop::stop);
      if (purging != null) {
        purging.stop();
      }
    }
    boolean ours = isOneOfOurs(Thread.currentThread());
    if (first && ours) {
      threads.startCloser(this::end);
    } else if (first) {
      end();
    } else if (!ours) {
      PatientWait.until(this::awaitEnd, FOR_EVER);
    }
  }

  /** Stops a relay whose start failed. What it was to own is the caller's: it stays open. */
  public void withdraw() {
    withdrawn = true;
    stop();
  }

  private boolean awaitEnd(long nanos) throws InterruptedException {
    return ended.await(nanos, TimeUnit.NANOSECONDS);
  }

  /** What it owns may close the relay, too. */
  private boolean isOneOfOurs(Thread thread) {
    return thread == closing
        || threads.isLoop(thread)
        || relayState.inThePublisher.contains(thread);
  }

  private void end() {
    closing = Thread.currentThread();
    try {
      endThreads();
      relayState.relayCounters.failures.close(settings.name(), Ticker.system().now());
      if (!withdrawn) {
        closeOwned();
      }
      log.info("relay={} closed", settings.name());
    } finally {
      closing = null;
      ended.countDown();
    }
  }

  private void endThreads() {
    Duration patience = settings.deadlines().close().plus(SLACK);
    boolean inTime = threads.await(patience);
    threads.interrupt();
    long interrupted = System.nanoTime();
    if (!inTime) {
      endInHaste();
      threads.warnOfImpatience(patience);
    }
    letPublishersReturn(LAST_WORDS.minusNanos(System.nanoTime() - interrupted));
    threads.endKeeper(LAST_WORDS);
    threads.forgetShutdown();
  }

  /** A worker that waits for answers may still write those that it has; one that hangs is cut. */
  private void endInHaste() {
    if (!threads.await(LAST_WORDS)) {
      loops.forEach(loop -> threads.startCloser(loop::abort)); // a driver may connect to cut
      threads.interrupt();
      threads.await(LAST_WORDS);
    }
  }

  /** A client that is closed under a send may lose it, or hang. */
  private void letPublishersReturn(Duration patience) {
    boolean closes = !withdrawn && !owned.isEmpty();
    if (closes && !PatientWait.until(this::haveReturned, patience)) {
      log.warn(
          "relay={} closes what it owns although {} threads are still in the publisher",
          settings.name(),
          relayState.inThePublisher.size());
    }
  }

  private boolean haveReturned(long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    while (!relayState.inThePublisher.isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(1);
    }
    return relayState.inThePublisher.isEmpty();
  }

  /** The last one first, as they may use each other; no interrupt cuts the next one short. */
  private void closeOwned() {
    boolean interrupted = false;
    for (int place = owned.size() - 1; place >= 0; place--) {
      interrupted |= Thread.interrupted();
      interrupted |= closeInterrupted(owned.get(place));
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** True when the close was interrupted. */
  private boolean closeInterrupted(AutoCloseable resource) {
    try {
      resource.close();
      return false;
    } catch (Throwable thrown) { // an Error too: the others are to be closed all the same
      log.warn("relay={} could not close {}", settings.name(), resource, thrown);
      return thrown instanceof InterruptedException;
    }
  }

  /** What the relay has counted and how it stands. */
  public RelayStatus status() {
    return health().status(settings.name(), relayState.relayCounters, Ticker.system().now());
  }

  RelayHealth health() {
    Duration purgeFailing = purging == null ? null : purging.failing();
    int stuck = relayState.stuckWorkers.note(settings, Ticker.system().now());
    return new RelayHealth(
        threads.areLoopsAlive(),
        stopped.get(),
        outage(),
        purgeFailing,
        stuck,
        stuck == loops.size());
  }

  private @Nullable Duration outage() {
    return loops.stream()
        .map(RelayLoop::outage)
        .filter(Objects::nonNull)
        .max(Duration::compareTo)
        .orElse(null);
  }
}
