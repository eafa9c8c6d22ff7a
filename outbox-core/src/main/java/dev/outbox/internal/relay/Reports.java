package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.publish.RelayListener;
import dev.outbox.store.Fate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells the listener what happened, and the loop that a flight is over.
 *
 * <p>The tower's part is safe for use by many threads, the rest is used by the loop thread.
 */
final class Reports implements OpenFlight.Tower {
  private final AtomicInteger ignored = new AtomicInteger();
  private final RelaySettings settings;
  private final Runnable wake;
  private final Ticker ticker;

  Reports(RelaySettings settings, Runnable wake, Ticker ticker) {
    this.settings = settings;
    this.wake = wake;
    this.ticker = ticker;
  }

  @Override
  public Ticker.Moment now() {
    return ticker.now();
  }

  @Override
  public void flightIsOver() {
    wake.run();
  }

  @Override
  public void ignoredAnswer() {
    ignored.incrementAndGet();
  }

  /** Passes on the answers ignored since the last call. */
  void ignoredAnswers() {
    int count = ignored.getAndSet(0);
    if (count > 0) {
      settings.listener().ignoredAnswers(count);
    }
  }

  void fenced(Lane lane) {
    settings.listener().fenced(lane);
  }

  /** Passes on what one settlement wrote. */
  void settled(List<Fate> fates, int missing) {
    if (fates.isEmpty()) {
      return;
    }
    int parked = 0;
    int died = 0;
    for (Fate fate : fates) {
      if (fate instanceof Fate.Bury bury) {
        died++;
        settings.listener().died(bury.stored().envelope(), bury.reason() + ": " + bury.error());
      } else if (fate instanceof Fate.Park) {
        parked++;
      }
    }
    RelayListener.Settled settled =
        new RelayListener.Settled(fates.size() - parked - died, parked, died, missing);
    settings.listener().settled(settled);
  }
}
