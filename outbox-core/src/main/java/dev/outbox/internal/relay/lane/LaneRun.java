package dev.outbox.internal.relay.lane;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.batch.Batch;
import dev.outbox.internal.relay.batch.DeliveryRules;
import dev.outbox.internal.relay.batch.FlightTerms;
import dev.outbox.internal.relay.flight.FlightObserver;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.spi.lane.LaneClaim;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One leased lane: its lease, its held keys and the batch that it is working on.
 *
 * <p>Used by the loop thread only, but for {@link #isSure}, which publish threads ask too.
 */
/*
 * A lane does one thing at a time, which is why nothing in it can overtake:
 *
 *   idle -> read a batch -> [flight in flight -> landed]* -> settle -> idle
 *
 * Invariants, and what would break them:
 *
 * - No batch is read before the settlement of the one before is known to be written: until then the held keys are not
 *   complete.
 * - A batch whose settlement got no answer stays as it is and is settled again until the store says settled or fenced.
 *   Reading again instead would publish again what was delivered.
 * - A flight takes off only while the lease is sure.
 * - After a lost connection the tables may be an older copy, as when a standby was promoted. What was read, the held keys
 *   and the lease may be of a past that never happened. So only what is in flight is ended, and the lane is claimed again.
 * - Fenced means that another relay owns the lane: the run is dropped with all that it holds; a flight in flight is beyond
 *   recall and its answers fall into nothing.
 */
public final class LaneRun extends ReadableLane {
  private final HeldKeys held;
  private final DeliveryRules deliveryRules;
  private final LaneWork work;
  private boolean hasTakenIds;

  public LaneRun(
      LaneClaim claim, Ticker.Moment beforeClaim, Duration sureFor, DeliveryRules deliveryRules) {
    super(claim, beforeClaim, sureFor);
    this.held = new HeldKeys(claim.held());
    this.deliveryRules = deliveryRules;
    this.work = new LaneWork(deliveryRules, claim.lease().epoch());
  }

  @Override
  public void doubt() {
    super.doubt();
    work.dropUntried();
  }

  /** True when the lane is to be claimed again, and nothing of it is under way. */
  public boolean isToBeReclaimed() {
    return isStale() && work.isNone() && !isLeaving() && !isUnderWay();
  }

  @Override
  public void leave() {
    super.leave();
    work.recall();
  }

  @Override
  public boolean canRead(Ticker.Moment now) {
    return work.isNone() && !isLeaving() && !isStale() && isSure(now);
  }

  @Override
  void begin(List<StoredEnvelope> read, Batch.Held ofHeldTopics, Set<String> leftBehind) {
    work.begin(read, ofHeldTopics, leftBehind);
  }

  @Override
  public boolean isQuiet() {
    return work.isNone() && work.flight() == null && hasNothingElse();
  }

  private boolean hasNothingElse() {
    return super.isQuiet()
        && !suspectNote().isPending()
        && !isLeaving()
        && !isStale()
        && !wasRefused();
  }

  /** True when a part of the batch waits to be published. */
  public boolean hasWaiting() {
    return work.hasWaiting();
  }

  /** True when the next message is to be published with nothing else in flight. */
  public boolean wantsToFlyAlone() {
    return isCareful()
        && work.hasWaiting()
        && !isLeaving()
        && !suspectNote().isPending()
        && !isLocked();
  }

  /** True while a message is in flight that nothing else may fly with. */
  public boolean isFlyingAlone() {
    return isCareful() && work.flight() != null;
  }

  /** The next flight of the batch, now in flight as far as this lane is concerned, or null. */
  @Nullable
  public OpenFlight nextFlight(
      Ordering ordering, int most, Ticker.Moment now, FlightObserver flightObserver) {
    if (work.isNone() || isUnderWay() || isLeaving() || isStale() || !isSure(now)) {
      return null;
    }
    int fitting = isCareful() ? 1 : work.most(most);
    FlightTerms.Unfit deadly =
        message -> crashSuspicion().fate(message, deliveryRules.decision(), now);
    work.takeOff(new FlightTerms(held.all(), ordering, fitting, deadly, now), flightObserver);
    if (isCareful()) {
      work.flyAlone();
    }
    Batch over = work.endWithoutFates();
    if (over != null) {
      ended(over); // nothing to write
    }
    return work.flight();
  }

  /**
   * True when a flight of that {@code age} at most, or none, is all that there is: its landing can
   * wait for a moment.
   */
  public boolean isInNoHurry(Duration age, Ticker.Moment now) {
    OpenFlight flight = work.flight();
    boolean isYoung = flight == null || flight.isYoungerThan(age, now);
    return isYoung && !work.hasWaiting() && hasNothingElse();
  }

  /** A flight, or what is to be written back after one. */
  private boolean isUnderWay() {
    return work.flight() != null || suspectNote().isPending();
  }

  /** The flight that is queued or in flight, or null. */
  @Nullable
  public OpenFlight flight() {
    return work.flight();
  }

  /** Takes the answers of the flight and what the absence of the others means. */
  public void land(OpenFlight landing, Ticker.Moment now) {
    work.land(landing, now);
    suspectNote().landed(!work.fates().isEmpty());
  }

  /** The flight never took off: its messages wait again. */
  public void takeBack() {
    work.takeBack();
    if (isStale()) {
      work.dropWaiting();
    }
  }

  /**
   * Takes the answers that there are and leaves the rest of the flight untouched. Then the lane is
   * not released but expires: its next owner would repeat at once what may still be arriving.
   */
  public void abandon(OpenFlight landing, Ticker.Moment now) {
    letExpire();
    work.abandon(landing, now);
    suspectNote().landed(!work.fates().isEmpty());
  }

  /** The lane is another's: what is in flight of it no longer counts. */
  void lose() {
    leave();
    work.lose();
  }

  /** True when the batch has nothing more to publish, so that its end can be written. */
  public boolean isReadyToSettle(Ticker.Moment now) {
    return work.isFinished() && !settleAttempts().isResting(now);
  }

  /** True when the end of the batch is to be written without any delay. */
  public boolean isUrgent() {
    return isLeaving() || isCareful();
  }

  /** True when the last settle met ids that other parked messages have. */
  public boolean hasTakenIds() {
    return hasTakenIds;
  }

  @Override
  public boolean isGoneThrough() {
    return isGoingThrough() && !isLeaving() && !wasRefused() && !isLocked();
  }

  /** True when the lane can be released: nothing of it is in flight. */
  public boolean isReadyToRelease() {
    return isLeaving() && !isUnderWay() && !wasRefused();
  }

  /** How many messages of this lane are queued for the publisher or in flight. */
  public int flying() {
    return work.flying();
  }

  /** How many messages this lane holds in memory. */
  public int size() {
    return work.size();
  }

  /** The payload bytes that this lane holds in memory. */
  public long bytes() {
    return work.bytes();
  }

  /**
   * The settlement of what is decided, which renews a lease of that {@code age}; a plain renewal or
   * release when nothing is.
   */
  public Settlement settlement(Duration age, Ticker.Moment now) {
    List<Fate> fates = isReadyToSettle(now) ? work.fates() : List.of();
    Settlement.After after = Settlement.After.RENEW;
    if (isReadyToRelease() || (isLeaving() && isReadyToSettle(now) && !suspectNote().isPending())) {
      after = Settlement.After.RELEASE;
    } else if (!fates.isEmpty()) {
      after = afterBatch(floor(), age, now);
    }
    return new Settlement(lease(), floor(), fates, after);
  }

  /** The lease runs on; whatever is finished waits for its own settlement. */
  public Settlement renewal() {
    return new Settlement(lease(), floor(), List.of(), Settlement.After.RENEW);
  }

  /** As {@link #renewal}, after a failure: the database may have gone back, and the ids with it. */
  public Settlement renewalWithoutFloor() {
    return new Settlement(lease(), 0, List.of(), Settlement.After.RENEW);
  }

  /** The settlement was written by a call that was sent at {@code beforeSettle}. */
  public void settled(
      Settlement settlement, SettleResult.Settled outcome, Ticker.Moment beforeSettle) {
    keptBy(settlement, beforeSettle);
    if (!settlement.fates().isEmpty()) {
      hasTakenIds = outcome.taken() > 0;
      suspectNote().forget();
    }
    held.settled(settlement.fates(), outcome.freed());
    written(settlement.fates());
    Batch over = work.endWith(settlement.fates());
    if (over != null) {
      ended(over);
      settleAttempts().over();
    }
  }
}
