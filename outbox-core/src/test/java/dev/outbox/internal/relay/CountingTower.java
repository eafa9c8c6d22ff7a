package dev.outbox.internal.relay;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what a flight reports. */
final class CountingTower implements OpenFlight.Tower {
  final AtomicInteger over = new AtomicInteger();
  final AtomicInteger ignored = new AtomicInteger();

  @Override
  public void flightIsOver() {
    over.incrementAndGet();
  }

  @Override
  public void ignoredAnswer() {
    ignored.incrementAndGet();
  }
}
