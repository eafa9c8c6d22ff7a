package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.lane.Lease;
import dev.outbox.spi.lane.Suspect;
import dev.outbox.spi.settle.Settlement;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A lane as it was claimed: its lease, whether that is to be given back or claimed again, its
 * suspect, if a message of it may be what kills relays, and what became of the ends that the store
 * was offered.
 *
 * <p>Used by the loop thread only, but for {@link #isSure}, which publish threads ask too.
 */
public abstract class ClaimedLane {
  private final SureLease lease;
  private final CrashSuspicion crashSuspicion;
  private final SettleAttempts settleAttempts = new SettleAttempts();
  private boolean stale;
  private boolean leaving;
  private boolean abandoned;

  ClaimedLane(LaneClaim claim, Ticker.Moment beforeClaim, Duration sureFor) {
    this.lease = new SureLease(claim.lease(), beforeClaim, sureFor);
    this.crashSuspicion = new CrashSuspicion(claim);
  }

  public final Lease lease() {
    return lease.get();
  }

  public final Lane lane() {
    return lease().lane();
  }

  /** True while no other relay can own this lane. */
  public final boolean isSure(Ticker.Moment now) {
    return lease.isSure(now);
  }

  /** When the claim or renewal was sent that the lease stands on. */
  public final Ticker.Moment confirmed() {
    return lease.confirmed();
  }

  /** True when the lease was confirmed that long ago, or is in doubt. */
  public final boolean isOlderThan(Duration age, Ticker.Moment now) {
    return lease.isOlderThan(age, now);
  }

  /** True when another session keeps the row of this lane locked, as far as is known. */
  public final boolean isLocked() {
    return lease.isLocked();
  }

  /** Whether another session keeps the row of this lane locked. */
  public final void locked(boolean is) {
    lease.locked(is);
  }

  /**
   * The lane may be another's, or its tables an older copy: nothing of it is read or takes off any
   * more. What is in flight is settled if the lease still holds; then the lane is claimed again.
   */
  public void doubt() {
    stale = true;
    lease.doubt();
  }

  /** True when the lane is to be claimed again, now or when what is in flight has landed. */
  public final boolean isStale() {
    return stale;
  }

  /**
   * The lane is to be released as soon as nothing of it is in flight; its publisher is asked to
   * begin no other send.
   */
  public void leave() {
    leaving = true;
  }

  /** True when the lane is to be released. */
  public final boolean isLeaving() {
    return leaving;
  }

  /** The lane is not released but expires, from its last settlement on. */
  final void letExpire() {
    leaving = false;
    abandoned = true;
  }

  /** What becomes of the lease when a batch ends; one of that {@code age} is renewed. */
  final Settlement.After afterBatch(long floor, Duration age, Ticker.Moment now) {
    boolean runsOn = !abandoned && !lease.isOlderThan(age, now);
    return runsOn ? lease.afterBatch(floor) : Settlement.After.RENEW;
  }

  /** The settlement was written by a call that was sent at {@code before}: it kept the lease. */
  final void keptBy(Settlement settlement, Ticker.Moment before) {
    lease.settled(settlement, before);
  }

  /** True when the messages of this lane are to be published one at a time. */
  public final boolean isCareful() {
    return crashSuspicion.isCareful();
  }

  /** How many messages to read, when {@code most} are allowed. */
  public final int limit(int most) {
    return crashSuspicion.hasSeenSuspects() ? 1 : most;
  }

  final CrashSuspicion crashSuspicion() {
    return crashSuspicion;
  }

  final SuspectNote suspectNote() {
    return crashSuspicion.note();
  }

  /** The message of this flight is about to be noted in the lane's row, or may have been. */
  public final void noteSuspect(OpenFlight flight) {
    suspectNote().write(flight);
  }

  /** What is to be written back into the lane's row, or null when nothing is. */
  @Nullable
  public final Suspect suspectToRestore() {
    return suspectNote().toRestore();
  }

  /** The {@code suspect} was written back. */
  public final void suspectRestored(Suspect suspect) {
    suspectNote().restored(suspect);
  }

  /** Nothing is to be written back: the row never had it, or keeps it. */
  public final void restoreNoSuspect() {
    suspectNote().over();
  }

  /**
   * The store refused the end of the batch: it is kept, and offered again after a rest, which this
   * returns: the {@code least} at least.
   */
  public final Duration refused(Ticker.Moment now, Duration least) {
    return settleAttempts.refused(now, least);
  }

  /** Another's end was waited for beside this one, which is offered by itself next time. */
  public final void putOff(Ticker.Moment now) {
    settleAttempts.putOff(now);
  }

  /** There is no later time: what the store refused is offered once more. */
  public final void restNoLonger() {
    settleAttempts.restNoLonger();
  }

  /** True when the store refused the end of the batch, and has not taken it since. */
  public final boolean wasRefused() {
    return settleAttempts.wasRefused();
  }

  /** As {@link #wasRefused}, by itself and not only beside others. */
  public final boolean wasRefusedByItself() {
    return settleAttempts.refusals() > 0;
  }

  /** When it was refused last by itself, or before all times. */
  public final Instant lastRefusal() {
    return settleAttempts.lastRefusal();
  }

  /** The end of the batch was offered to the store, which did not answer. */
  public final void settleUnanswered() {
    settleAttempts.unanswered();
  }

  /** True when the end of the batch may have been written already. */
  public final boolean mayBeSettled() {
    return settleAttempts.isUnanswered();
  }

  final SettleAttempts settleAttempts() {
    return settleAttempts;
  }
}
