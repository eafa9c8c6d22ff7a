package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import dev.outbox.publish.Ordering;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.HoldReason;
import dev.outbox.store.LaneClaim;
import dev.outbox.store.Lease;
import dev.outbox.store.Outcome;
import dev.outbox.store.Settlement;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.util.Comparator;
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
  static final Comparator<LaneRun> BY_LANE = Comparator.comparing(LaneRun::lane);

  private static final Duration FIRST_REST = Duration.ofMillis(250);
  private static final int MOST_DOUBLINGS = 7;

  private final Lease lease;
  private final Duration sureFor;
  private final Set<HeldKey> held;
  private final Rules rules;
  private final LaneFloor floor;
  private final Suspicion suspicion;
  private final LaneNews news = new LaneNews();
  private volatile Ticker.Moment confirmed;
  private @Nullable Batch batch;
  private @Nullable OpenFlight flight;
  private boolean leaving;
  private boolean parkedLast;
  private int refusals;
  private Ticker.@Nullable Moment refusedAt;

  LaneRun(LaneClaim claim, Ticker.Moment beforeClaim, Duration sureFor, Rules rules) {
    this.lease = claim.lease();
    this.held = new HashSet<>(claim.held());
    this.floor = new LaneFloor(lease.floor());
    this.suspicion = new Suspicion(claim);
    this.confirmed = beforeClaim;
    this.sureFor = sureFor;
    this.rules = rules;
  }

  Lane lane() {
    return lease.lane();
  }

  Lease lease() {
    return lease;
  }

  LaneFloor floor() {
    return floor;
  }

  /** What is known of work in this lane. */
  LaneNews news() {
    return news;
  }

  /** True while no other relay can own this lane. */
  boolean isSure(Ticker.Moment now) {
    return now.since(confirmed).compareTo(sureFor) < 0;
  }

  boolean needsRenewal(Ticker.Moment now, Duration renewal) {
    return now.since(confirmed).compareTo(renewal) >= 0;
  }

  /**
   * The lane is to be given back as soon as nothing of it is in the air; its publisher is asked to
   * begin no other send.
   */
  void leave() {
    leaving = true;
    if (batch != null) {
      batch.dropWaiting();
    }
    if (flight != null) {
      flight.recall();
      if (flight.ground()) {
        forgetFlight();
      }
    }
  }

  private void forgetFlight() {
    if (flight != null && batch != null) {
      batch.takeBack(flight);
      batch.dropWaiting();
    }
    flight = null;
  }

  boolean isLeaving() {
    return leaving;
  }

  /** True when nothing is under way, so that a batch can begin. */
  boolean canRead(Ticker.Moment now) {
    return batch == null && !leaving && isSure(now);
  }

  /**
   * As {@link #canRead}, for parked messages: every other batch is one of ready messages, so that
   * neither kind starves.
   */
  boolean canReadDue(Ticker.Moment now) {
    return canRead(now) && !(parkedLast && news.hasReady());
  }

  /**
   * Begins a batch of ready messages, if there are any; they are the {@code whole} lane, or there
   * may be more.
   */
  void begin(List<Stored> ready, Batch.Held ofHeldTopics, boolean whole) {
    news.readReady(whole);
    parkedLast = false;
    if (!ready.isEmpty()) {
      suspicion.read(ready);
      batch = new Batch(ready, ofHeldTopics, rules);
    }
  }

  /** There are surely no ready messages, of those up to {@code safe} and of those committed. */
  void foundEmpty(long safe) {
    floor.empty(safe);
    if (!floor.isSkipping()) {
      suspicion.empty();
    }
    news.readReady(true);
    parkedLast = false;
  }

  /** What was left in its table is read again. */
  void goBackToTheFloor() {
    if (floor.unskip()) {
      news.ready();
    }
  }

  /** Begins a batch of parked messages, which ends at once when there are none. */
  void beginDue(List<Stored> due) {
    news.readDue(due);
    parkedLast = !due.isEmpty();
    batch = due.isEmpty() ? null : new Batch(due, Batch.Held.PARK, rules);
  }

  /** How many messages to read, when {@code most} are allowed. */
  int readLimit(int most) {
    return suspicion.hasSeenSuspects() ? 1 : most;
  }

  /** True when the next message is to be published with nothing else in the air. */
  boolean wantsToFlyAlone() {
    return suspicion.isCareful() && batch != null && batch.hasWaiting() && !leaving;
  }

  /** True while a message is in the air that nothing else may fly with. */
  boolean isFlyingAlone() {
    return suspicion.isCareful() && flight != null;
  }

  /**
   * The next flight of the batch, now in the air as far as this lane is concerned; null when there
   * is none.
   */
  @Nullable OpenFlight nextFlight(
      Ordering ordering, int most, Ticker.Moment now, OpenFlight.Tower tower) {
    if (batch == null || flight != null || leaving || !isSure(now)) {
      return null;
    }
    int fitting = suspicion.isCareful() ? 1 : most;
    Batch.Unfit unfit = stored -> unfit(stored, now);
    List<Stored> aboard = batch.takeFlight(new Batch.Terms(held, ordering, fitting, unfit, now));
    if (suspicion.isCareful()) {
      batch.dropWaiting(); // each is settled before the next is noted
    }
    if (!aboard.isEmpty()) {
      flight = new OpenFlight(aboard, null, tower);
    } else if (batch.isOverWithoutFates()) {
      end(batch); // nothing to write
      batch = null;
    }
    return flight;
  }

  private @Nullable Fate unfit(Stored stored, Ticker.Moment now) {
    Stored.Defect defect = stored.defect();
    return defect == null
        ? suspicion.fate(stored, rules.decision(), now)
        : rules.decision().unfit(stored, defect, now);
  }

  /** The flight that is queued or in the air, or null. */
  @Nullable OpenFlight flight() {
    return flight;
  }

  /** Takes the answers of the flight and what the absence of the others means. */
  void land(OpenFlight landing, Ticker.Moment now) {
    landing.land();
    flight = null;
    if (batch != null) {
      batch.land(landing, now);
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

  /** The lane is another's: what is in the air of it no longer counts. */
  void lose() {
    OpenFlight lost = flight;
    leave();
    if (lost != null && flight != null) {
      lost.envelopes().forEach(rules.gates()::withdrawn);
      flight = null;
    }
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
    Duration rest = FIRST_REST.multipliedBy(1L << Math.min(refusals, MOST_DOUBLINGS));
    return refusedAt != null && now.since(refusedAt).compareTo(rest) < 0;
  }

  /** True when the lane can be given back: nothing of it is in the air. */
  boolean isReadyToRelease() {
    return leaving && flight == null && refusedAt == null;
  }

  /** How many messages this lane holds in memory. */
  int size() {
    return (batch == null ? 0 : batch.size()) + (flight == null ? 0 : flight.aboard().size());
  }

  /** The payload bytes that this lane holds in memory. */
  long bytes() {
    return batch == null ? 0 : batch.bytes();
  }

  /** The settlement of what is decided; a plain renewal or release when nothing is. */
  Settlement settlement(Ticker.Moment now) {
    List<Fate> fates = isReadyToSettle(now) && batch != null ? batch.fates() : List.of();
    Settlement.After after = isReadyToRelease() ? Settlement.After.RELEASE : Settlement.After.RENEW;
    return new Settlement(lease, floor.get(), fates, after);
  }

  /** The lease runs on; whatever is finished waits for a settlement of its own. */
  Settlement renewal() {
    return new Settlement(lease, floor.get(), List.of(), Settlement.After.RENEW);
  }

  /** The settlement was written by a call that was sent at {@code beforeSettle}. */
  void settled(Settlement settlement, Outcome.Settled outcome, Ticker.Moment beforeSettle) {
    confirmed = beforeSettle;
    settlement.fates().forEach(this::holdKeyOf);
    held.removeAll(outcome.freed());
    if (isFinished() && batch != null && settlement.fates().size() == batch.fates().size()) {
      end(batch);
      batch = null;
      refusals = 0;
      refusedAt = null;
    }
  }

  private void holdKeyOf(Fate fate) {
    HeldKey key = fate.stored().holdable();
    boolean holds =
        fate instanceof Fate.Park || (fate instanceof Fate.Bury bury && bury.holdsKey());
    if (holds && key != null) {
      held.add(key);
    }
    if (fate instanceof Fate.Park park && park.reason() == HoldReason.TOPIC) {
      news.parkedWithTopic();
    }
  }

  private void end(Batch ended) {
    Long left = ended.firstLeft();
    if (left != null && ended.leavesHeldTopics()) {
      floor.skip(ended.lastId());
    } else if (left != null) {
      news.left(ended.isParked());
    }
    if (!ended.isParked()) {
      floor.settled(left);
      if (!floor.hasReadAbove()) {
        suspicion.settled(left == null ? ended.lastId() : left - 1);
      }
    }
  }
}
