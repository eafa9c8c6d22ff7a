package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.FlightObserver;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what a flight reports. */
public final class CountingObserver implements FlightObserver {
  public final AtomicInteger over = new AtomicInteger();
  public final AtomicInteger ignored = new AtomicInteger();

  public volatile Ticker.Moment now = Samples.atSecond(0);

  @Override
  public Ticker.Moment now() {
    return now;
  }

  @Override
  public void flightIsOver() {
    over.incrementAndGet();
  }

  @Override
  public void ignoredAnswer() {
    ignored.incrementAndGet();
  }
}
