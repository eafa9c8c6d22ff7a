package dev.outbox.internal.relay;

import dev.outbox.store.Lease;
import java.time.Duration;

/**
 * A lease, and for how long it surely is ours.
 *
 * <p>Renewed by the loop thread; asked by any.
 */
/*
 * The time counts from before the claim or renewal was sent, and a renewal moves it only after its answer. Counting from
 * the answer would add the round trip to the lease.
 */
final class SureLease {
  private final Lease lease;
  private final Duration sureFor;
  private volatile Ticker.Moment confirmed;

  SureLease(Lease lease, Ticker.Moment beforeClaim, Duration sureFor) {
    this.lease = lease;
    this.confirmed = beforeClaim;
    this.sureFor = sureFor;
  }

  Lease get() {
    return lease;
  }

  /** True while no other relay can own the lane. */
  boolean isSure(Ticker.Moment now) {
    return now.since(confirmed).compareTo(sureFor) < 0;
  }

  boolean isOlderThan(Duration age, Ticker.Moment now) {
    return now.since(confirmed).compareTo(age) >= 0;
  }

  /** It was renewed by a call that was sent at {@code before}. */
  void confirmed(Ticker.Moment before) {
    confirmed = before;
  }
}
