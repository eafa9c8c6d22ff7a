package dev.outbox.internal.relay;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what a flight reports. */
final class CountingTower implements OpenFlight.Tower {
  final AtomicInteger over = new AtomicInteger();
  final AtomicInteger ignored = new AtomicInteger();

  volatile Ticker.Moment now = Samples.atSecond(0);

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
