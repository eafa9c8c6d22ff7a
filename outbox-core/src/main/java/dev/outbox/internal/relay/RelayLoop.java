package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.IdleWait;
import dev.outbox.internal.relay.base.Outage;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes turns until told to stop, rests when there is nothing to do, and outlives the database's
 * absence.
 *
 * <p>{@link #run} belongs to one thread; {@link #stop} may be called from any.
 */
final class RelayLoop implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(RelayLoop.class);

  private final Turns turns;
  private final IdleWait wait;
  private final Ticker ticker;
  private final RelaySettings settings;
  private final Outage outage;
  private volatile Ticker.@Nullable Moment stopAsked;

  RelayLoop(Turns turns, IdleWait wait, Ticker ticker, RelaySettings settings) {
    this.turns = turns;
    this.wait = wait;
    this.ticker = ticker;
    this.settings = settings;
    this.outage = new Outage(settings.name(), ticker);
  }

  /** Asks the loop to end what it began and return; it gives up at the close deadline. */
  void stop() {
    if (!isStopping()) {
      stopAsked = ticker.now();
      wait.signal();
    }
  }

  /** Cuts the loop's connection, from any thread. */
  void abort() {
    turns.abort();
  }

  /** For how long the store has not answered, or null while it does. */
  @Nullable Duration outage() {
    return outage.lasting();
  }

  @Override
  public void run() {
    try (turns) {
      while (!isStopping()) {
        guarded(this::turnOrRest);
      }
      windDown();
    } catch (InterruptedException e) {
      log.warn(
          "relay={} was interrupted: leases and unanswered flights are left to expire",
          settings.name());
      Thread.currentThread().interrupt();
    } catch (Throwable t) {
      log.error(
          "relay={} ended by a fault of its own: its leases are left to expire",
          settings.name(),
          t);
    }
  }

  private void turnOrRest() throws InterruptedException {
    if (!turns.turn()) {
      wait.await(turns.longestRest());
    }
  }

  private void windDown() throws InterruptedException {
    boolean[] over = {false};
    while (!over[0] && closingFor().compareTo(settings.deadlines().close()) < 0) {
      guarded(
          () -> {
            over[0] = turns.windDown();
            if (!over[0]) {
              wait.await(Duration.ofMillis(20));
            }
          });
    }
    if (!over[0]) {
      guarded(turns::giveUp);
    }
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
      outage.over();
    } catch (RuntimeException e) {
      Duration rest = outage.failed(e);
      turns.afterFailure(e);
      settings.listener().storeFailed(e, rest);
      wait.await(rest);
    }
  }

  private interface Step {
    void take() throws InterruptedException;
  }
}
