package dev.outbox.internal.relay;

import dev.outbox.publish.Publisher;
import dev.outbox.store.Claiming;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Wakeup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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

  private final RelaySettings settings;
  private final RelayThreads threads;
  private final List<RelayLoop> loops = new ArrayList<>();
  private final List<Wakeup.Subscription> subscriptions = new ArrayList<>();
  private final AtomicBoolean stopped = new AtomicBoolean();

  /**
   * Starts a relay with {@code workers} workers where the tables are claimed by rows, and one loop
   * otherwise.
   */
  public RelayEngine(OutboxStore store, Publisher publisher, RelaySettings settings, int workers) {
    this.settings = settings;
    this.threads = new RelayThreads(settings.name(), settings.volume().threads());
    boolean byRows = store.layout().claiming() == Claiming.ROWS;
    for (int number = 1; number <= (byRows ? workers : 1); number++) {
      IdleWait wait = new IdleWait(settings.deadlines().poll());
      Ticker ticker = Ticker.system();
      Surroundings surroundings = new Surroundings(threads.publishing(), ticker, wait::signal);
      Turns turns =
          byRows
              ? new RowTurns(store, publisher, settings, surroundings)
              : new LaneTurns(store, publisher, settings, surroundings);
      RelayLoop loop = new RelayLoop(turns, wait, ticker, settings);
      loops.add(loop);
      subscriptions.add(
          store
              .wakeup()
              .subscribe(
                  new Wakeup.Listener() {
                    @Override
                    public void woken(java.util.Set<dev.outbox.message.Lane> lanes) {
                      wait.signal();
                    }

                    @Override
                    public void hinted(java.util.Set<dev.outbox.message.Lane> lanes) {}
                  }));
    }
    start(byRows);
    log.info(
        "relay={} started: {}, {} lanes",
        settings.name(),
        store.layout().claiming(),
        store.layout().lanes());
  }

  /** Only when all of them exist: nobody could stop those of a relay that failed to start. */
  private void start(boolean byRows) {
    for (int number = 1; number <= loops.size(); number++) {
      threads.startLoop(byRows ? "worker-" + number : "loop", loops.get(number - 1));
    }
  }

  /**
   * Stops claiming, lets what is in the air land until the close deadline, settles, gives the lanes
   * back, then ends the threads. A second call returns at once.
   */
  public void stop() {
    if (!stopped.compareAndSet(false, true)) {
      return;
    }
    subscriptions.forEach(Wakeup.Subscription::close);
    loops.forEach(RelayLoop::stop);
    if (threads.end(settings.deadlines().close().plus(SLACK))) {
      log.info("relay={} closed", settings.name());
    }
  }
}
