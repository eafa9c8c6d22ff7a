package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.lane.Lease;
import java.time.Duration;

/**
 * A lease, and for how long it surely is ours.
 *
 * <p>Renewed by the loop thread; asked by any.
 */
/*
 * The time counts from before the claim or renewal was sent, and a renewal moves it only after its answer. Counting from
 * the answer would add the round trip to the lease.
 *
 * A connection that is lost may have been lost with the database: a standby that takes its place, or a restored copy, can
 * know of no such lease. So nothing is published under it before it is renewed.
 */
final class SureLease {
  private final Lease lease;
  private final Duration sureFor;
  private volatile Ticker.Moment confirmed;
  private volatile boolean doubted;

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
    return !doubted && now.since(confirmed).compareTo(sureFor) < 0;
  }

  boolean isOlderThan(Duration age, Ticker.Moment now) {
    return doubted || now.since(confirmed).compareTo(age) >= 0;
  }

  /** It was renewed by a call that was sent at {@code before}. */
  void confirmed(Ticker.Moment before) {
    confirmed = before;
    doubted = false;
  }

  /** It may have been given to another: it is not sure again before it is renewed. */
  void doubt() {
    doubted = true;
  }
}
