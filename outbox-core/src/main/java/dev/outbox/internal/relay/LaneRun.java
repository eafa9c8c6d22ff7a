package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.publish.Ordering;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.Lease;
import dev.outbox.store.Outcome;
import dev.outbox.store.Settlement;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One leased lane: its lease, its held keys and the batch that it is working on.
 *
 * <p>Used by the loop thread only, but for {@link #isSure}, which publish threads ask at take-off.
 */
/*
 * A lane does one thing at a time, which is why nothing in it can overtake:
 *
 *   idle -> read a batch -> [flight in the air -> landed]* -> settle -> idle
 *
 * Invariants, and what would break them:
 *
 * - Only the owner of a lane parks in it, so the held keys loaded with the claim and kept here are complete. A key is added
 *   when the settlement that parked it is known to be written and leaves when the store saw no parked row of it; between
 *   the two no batch is read. Reading ahead of the settlement would break this.
 * - A batch whose settlement got no answer stays as it is and is settled again until the store says settled or fenced.
 *   Reading anew instead would publish again what was delivered.
 * - A flight takes off only while the lease is sure, counted from before the claim or renewal was sent. A renewal moves the
 *   moment only after its answer. Counting from the answer would add the round trip to the lease.
 * - Fenced means that somebody else owns the lane: the run is dropped with all that it holds; a flight in the air is beyond
 *   recall and its answers fall into nothing.
 */
final class LaneRun {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final int MOST_DOUBLINGS = 7;
  private static final Duration BETWEEN_DUE_LOOKS = Duration.ofMillis(500);

  private final Lease lease;
  private final Duration sureFor;
  private final Set<HeldKey> held;
  private final SettleDecision decision;
  private volatile Ticker.Moment confirmed;
  private @Nullable Batch batch;
  private @Nullable OpenFlight flight;
  private boolean leaving;
  private boolean parkedLast;
  private int outages;
  private int refusals;
  private Ticker.@Nullable Moment refusedAt;
  private Duration pause = Duration.ZERO;
  private Ticker.Moment pausedAt;
  private Ticker.@Nullable Moment lastDueLook;

  LaneRun(LaneClaim claim, Ticker.Moment beforeClaim, Duration sureFor, SettleDecision decision) {
    this.lease = claim.lease();
    this.held = new HashSet<>(claim.held());
    this.confirmed = beforeClaim;
    this.pausedAt = beforeClaim;
    this.sureFor = sureFor;
    this.decision = decision;
  }

  Lane lane() {
    return lease.lane();
  }

  Lease lease() {
    return lease;
  }

  /** True while no other relay can own this lane. */
  boolean isSure(Ticker.Moment now) {
    return now.since(confirmed).compareTo(sureFor) < 0;
  }

  boolean needsRenewal(Ticker.Moment now, Duration renewal) {
    return now.since(confirmed).compareTo(renewal) >= 0;
  }

  /** The lane is to be given back as soon as nothing of it is in the air. */
  void leave() {
    leaving = true;
    if (batch != null) {
      batch.dropWaiting();
    }
    if (flight != null && flight.ground()) {
      flight = null;
    }
  }

  boolean isLeaving() {
    return leaving;
  }

  boolean canRead(Ticker.Moment now) {
    return batch == null && !leaving && isSure(now) && now.since(pausedAt).compareTo(pause) >= 0;
  }

  /**
   * As {@link #canRead}, for parked messages: every other batch is one of ready messages, so that
   * neither kind starves.
   */
  boolean canReadDue(Ticker.Moment now) {
    return canRead(now) && !parkedLast;
  }

  boolean needsDueLook(Ticker.Moment now) {
    return lastDueLook == null || now.since(lastDueLook).compareTo(BETWEEN_DUE_LOOKS) >= 0;
  }

  /** Parked messages were looked for at {@code when}; null when another look is due at once. */
  void lookedForDue(Ticker.@Nullable Moment when) {
    lastDueLook = when;
  }

  /** Begins a batch; an empty one ends at once. */
  void begin(List<Stored> read) {
    parkedLast = !read.isEmpty() && read.get(0).isParked();
    batch = read.isEmpty() ? null : new Batch(read, decision);
  }

  /**
   * The next flight of the batch, now in the air as far as this lane is concerned; null when there
   * is none.
   */
  @Nullable OpenFlight nextFlight(
      Ordering ordering, int most, Ticker.Moment now, OpenFlight.Tower tower) {
    if (batch == null || flight != null || !isSure(now)) {
      return null;
    }
    List<Stored> aboard = batch.takeFlight(held, ordering, most, now);
    if (!aboard.isEmpty()) {
      flight = new OpenFlight(aboard, null, tower);
    }
    return flight;
  }

  /** The flight that is queued or in the air, or null. */
  @Nullable OpenFlight flight() {
    return flight;
  }

  /**
   * Takes the answers of the flight; what was not answered counts as failed. When the broker is
   * away, the rest of the batch stays in its table and the lane pauses.
   */
  void land(OpenFlight landing, Ticker.Moment now) {
    landing.land();
    flight = null;
    Duration asked = batch == null ? null : batch.land(landing, now);
    if (batch != null && asked != null) {
      batch.dropWaiting();
      pauseLonger(asked, now);
    } else {
      outages = 0;
      pause = Duration.ZERO;
    }
  }

  /** The flight never took off: its messages wait again. */
  void takeBack() {
    if (flight != null && batch != null) {
      batch.takeBack(flight);
      flight = null;
    }
  }

  /**
   * Takes the answers that there are and gives up the rest of the flight, which stays untouched.
   * Then the lane is not given back but expires: the next owner would repeat at once what may still
   * be arriving.
   */
  void abandon(OpenFlight landing, Ticker.Moment now) {
    landing.land();
    flight = null;
    leaving = false;
    if (batch != null) {
      batch.dropWaiting();
      batch.landAnswered(landing, now);
    }
  }

  private void pauseLonger(Duration asked, Ticker.Moment now) {
    Duration own = doubled(outages++);
    pause = asked.compareTo(own) > 0 ? asked : own;
    pausedAt = now;
  }

  private static Duration doubled(int times) {
    return FIRST_PAUSE.multipliedBy(1L << Math.min(times, MOST_DOUBLINGS));
  }

  /** True when the batch has nothing more to publish, so that its end can be written. */
  boolean isReadyToSettle(Ticker.Moment now) {
    return isFinished() && !isRefused(now);
  }

  private boolean isFinished() {
    return flight == null && batch != null && !batch.hasWaiting();
  }

  /**
   * The store refused the end of the batch for good: it is kept, and offered again after a rest.
   */
  void refused(Ticker.Moment now) {
    refusals++;
    refusedAt = now;
  }

  private boolean isRefused(Ticker.Moment now) {
    return refusedAt != null && now.since(refusedAt).compareTo(doubled(refusals)) < 0;
  }

  /** True when the lane can be given back: nothing of it is in the air. */
  boolean isReadyToRelease() {
    return leaving && flight == null && refusedAt == null;
  }

  /** How many messages this lane holds in memory. */
  int size() {
    return (batch == null ? 0 : batch.size()) + (flight == null ? 0 : flight.aboard().size());
  }

  /** The settlement of what is decided; a plain renewal or release when nothing is. */
  Settlement settlement(Ticker.Moment now) {
    List<Fate> fates = isReadyToSettle(now) && batch != null ? batch.fates() : List.of();
    Settlement.After after = isReadyToRelease() ? Settlement.After.RELEASE : Settlement.After.RENEW;
    return new Settlement(lease, lease.floor(), fates, after);
  }

  /** The settlement was written by a call that was sent at {@code beforeSettle}. */
  void settled(Settlement settlement, Outcome.Settled outcome, Ticker.Moment beforeSettle) {
    confirmed = beforeSettle;
    for (Fate fate : settlement.fates()) {
      HeldKey key = fate.stored().holdable();
      if (fate instanceof Fate.Park && key != null) {
        held.add(key);
      }
    }
    held.removeAll(outcome.freed());
    if (isReadyToSettle(beforeSettle)) {
      batch = null;
      refusals = 0;
      refusedAt = null;
    }
  }
}
