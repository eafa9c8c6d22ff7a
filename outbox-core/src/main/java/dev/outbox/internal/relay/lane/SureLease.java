package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.settle.Settlement;
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
  private final long sureForNanos;
  private volatile Ticker.Moment confirmed;
  private volatile boolean doubted;
  private volatile boolean locked;
  private long storedFloor;

  SureLease(Lease lease, Ticker.Moment beforeClaim, Duration sureFor) {
    this.lease = lease;
    this.confirmed = beforeClaim;
    this.sureForNanos = sureFor.toNanos();
    this.storedFloor = lease.floor();
  }

  Lease get() {
    return lease;
  }

  /** True while no other relay can own the lane. */
  boolean isSure(Ticker.Moment now) {
    return !doubted && !locked && now.nanosSince(confirmed) < sureForNanos;
  }

  /** When the claim or renewal was sent that it stands on. */
  Ticker.Moment confirmed() {
    return confirmed;
  }

  boolean isOlderThan(Duration age, Ticker.Moment now) {
    return doubted || now.nanosSince(confirmed) >= age.toNanos();
  }

  /**
   * What becomes of a young lease when a batch ends: it runs on, unless its row has a floor that is
   * higher than {@code floor}, which must fall.
   */
  Settlement.After afterBatch(long floor) {
    return floor < storedFloor ? Settlement.After.RENEW : Settlement.After.RUN_ON;
  }

  /**
   * Whether another session keeps the lane's row locked, so that nothing can be written under this
   * lease: meanwhile it is not sure.
   */
  void locked(boolean is) {
    locked = is;
  }

  boolean isLocked() {
    return locked;
  }

  /** The settlement was written by a call that was sent at {@code before}. */
  void settled(Settlement settlement, Ticker.Moment before) {
    locked = false;
    if (settlement.after() == Settlement.After.RUN_ON) {
      storedFloor = Math.max(storedFloor, settlement.floor()); // it may have been stored
    } else {
      storedFloor = settlement.floor();
      confirmed = before;
      doubted = false;
    }
  }

  /** It may have been given to another: it is not sure again before it is renewed. */
  void doubt() {
    doubted = true;
  }
}
