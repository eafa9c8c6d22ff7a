package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.IdleWait;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.StoreOutage;
import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes turns until told to stop, waits when there is nothing to do, and survives an outage of the
 * database.
 *
 * <p>{@link #run} belongs to one thread; {@link #stop} may be called from any.
 */
final class RelayLoop implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(RelayLoop.class);

  private final Worker worker;
  private final IdleWait wait;
  private final Ticker ticker;
  private final RelaySettings settings;
  private final StoreOutage storeOutage;
  private volatile Ticker.@Nullable Moment stopAsked;
  private boolean storeIsClosed;

  RelayLoop(Worker worker, IdleWait wait, Surroundings surroundings, RelaySettings settings) {
    this.worker = worker;
    this.wait = wait;
    this.ticker = surroundings.ticker();
    this.settings = settings;
    this.storeOutage = new StoreOutage(settings.name(), ticker, surroundings.relayState().random);
  }

  /** Asks the loop to end what it began and return; it gives up at the close deadline. */
  void stop() {
    if (!isStopping()) {
      stopAsked = ticker.now();
      worker.stop();
      wait.signal();
    }
  }

  /** Cuts the loop's connection, from any thread. */
  void abort() {
    worker.abort();
  }

  /** For how long the store has not answered, or null while it does. */
  @Nullable Duration outage() {
    return storeOutage.lasting();
  }

  @Override
  public void run() {
    try (worker) {
      while (!isStopping()) {
        guarded(this::turnOrRest);
      }
      windDown();
    } catch (InterruptedException e) {
      log.warn(
          "relay={} was interrupted; its messages in flight are published again when its leases expire",
          settings.name());
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      log.error(
          "relay={} stopped after an internal error; other relays take over when its leases expire",
          settings.name(),
          t);
    }
  }

  private void turnOrRest() throws InterruptedException {
    wait.forget();
    worker.step();
    if (!isStopping()) {
      wait.await(worker.longestRest());
    }
  }

  private void windDown() throws InterruptedException {
    boolean[] over = {false};
    while (!over[0] && !storeIsClosed && isInTime()) {
      guarded(
          () -> {
            over[0] = worker.windDown();
            if (!over[0]) {
              wait.await(Duration.ofMillis(20));
            }
          });
    }
    if (storeIsClosed) {
      log.warn(
          "relay={} was closed after its connection pool; its messages in flight are published again when its leases expire",
          settings.name());
    } else if (!over[0]) {
      giveUp();
    }
  }

  /** There is no later time: a failure is told, and not waited for. */
  private void giveUp() {
    try {
      worker.giveUp();
    } catch (RuntimeException e) {
      log.warn(
          "relay={} closes although its last call of the database failed; what is not saved is published again",
          settings.name(),
          e);
    }
  }

  private boolean isInTime() {
    return closingFor().compareTo(settings.deadlines().close()) < 0;
  }

  private Duration closingFor() {
    Ticker.Moment asked = stopAsked;
    return asked == null ? Duration.ZERO : ticker.now().surelySince(asked);
  }

  private boolean isStopping() {
    return stopAsked != null;
  }

  /**
   * One place for the database's absence, and for faults of our own: state is kept, and the same is
   * done again after a rest.
   */
  private void guarded(Step step) throws InterruptedException {
    try {
      step.take();
      Duration outage = storeOutage.over();
      if (outage != null) {
        settings.listener().storeBack(outage);
      }
      storeIsClosed = false;
    } catch (RuntimeException e) {
      Duration rest = storeOutage.failed(e);
      storeIsClosed = StoreOutage.isClosed(e);
      worker.afterFailure(e);
      settings.listener().storeFailed(e, rest);
      if (!storeIsClosed || !isStopping()) {
        wait.await(rest);
      }
    }
  }

  private interface Step {
    void take() throws InterruptedException;
  }
}
