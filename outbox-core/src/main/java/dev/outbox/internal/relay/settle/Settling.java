package dev.outbox.internal.relay.settle;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.LockPatience;
import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.RelayEvents;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.record.Recording;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.SettleResult;
import dev.outbox.spi.settle.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the ends of batches: those of all finished lanes in one call, with the renewals and
 * releases that are due.
 *
 * <p>Used by the loop thread only.
 */
/*
 * A passing failure is the loop's: nothing is known of the call, so all of it is kept and made again. But a database
 * that refuses fates (a full disk, say) may still accept lease renewals. So renewals that are due are sent again alone,
 * unless the failed call was slow: a silent database must not block the loop twice. A lasting failure, and a row that
 * another session keeps locked, is of something in the call: repeating it whole would fail again, renewals included,
 * until every lane of this relay is lost for one row. So it is made again lane by lane. The lane that the store refuses
 * keeps its batch, is renewed without it, and tries again after a rest, by itself and after the others, which go on.
 *
 * A locked row is waited for, a quarter of a lease each time. So after a wait every lane is renewed, and there is one
 * lane at most to wait for in a turn: otherwise several locked rows would cost the relay all its lanes. A lane whose own row
 * is locked cannot even be renewed: LockedLanes says what becomes of it.
 */
public final class Settling {
  private static final Duration QUICK = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final LaneStore store;
  private final LeaseKeeper keeper;
  private final RelayEvents relayEvents;
  private final Ticker ticker;
  private final SettleBatching settleBatching;
  private final DueSettlements due;
  private final LockedLanes lockedLanes;
  private final LockWaits lockWaits;
  private final RefusedSettles refusedSettles;
  private boolean foundGone;

  public Settling(
      LaneStore store,
      LeaseKeeper keeper,
      LockedLanes lockedLanes,
      LockWaits lockWaits,
      RelayEvents relayEvents,
      RelaySettings settings,
      Ticker ticker) {
    this.store = store;
    this.keeper = keeper;
    this.lockedLanes = lockedLanes;
    this.lockWaits = lockWaits;
    this.relayEvents = relayEvents;
    this.ticker = ticker;
    this.settleBatching = new SettleBatching(settings.deadlines().linger());
    this.refusedSettles = new RefusedSettles(keeper, settings.name());
    this.due = new DueSettlements(keeper, settings.leasing().renewal());
  }

  /** Settles what is finished or due. True when a message got its fate, or will next time. */
  public boolean settle() {
    lockedLanes.look();
    return settle(true);
  }

  /** Settles all that is finished: there will be no other time. */
  public void settleAtLast() {
    lockedLanes.lookAtLast();
    try {
      settle(false);
    } finally {
      lockedLanes.tellUnsaved();
    }
  }

  private boolean settle(boolean gathers) {
    Ticker.Moment now = ticker.now();
    Lanes<LaneRun> finished =
        keeper.runs().awake().those(run -> run.isReadyToSettle(now) && !run.isLocked());
    boolean putsOff = gathers && lockWaits.givesWay() && !finished.isEmpty();
    boolean settles = !gathers || !settleBatching.waits(finished, flying(), now);
    List<Settlement> first = putsOff ? due.renewals(now) : due.first(settles, now);
    boolean offersAgain = settles && !putsOff && finished.any(LaneRun::wasRefused);
    List<Settlement> again = offersAgain ? due.again(finished, now) : List.of();
    boolean ends = !gathers || (keeper.runs().all(LaneRun::isLeaving) && flying() == 0);
    try {
      if (gathers) {
        write(first, again, now);
      } else {
        writeAtLast(first, again, now);
      }
    } finally {
      relayEvents.tellLost();
      refusedSettles.tell(!gathers, ticker.now());
      relayEvents.tellMissing(ends ? Duration.ZERO : MOMENT, ticker.now());
    }
    return putsOff || DueSettlements.fates(first) + DueSettlements.fates(again) > 0;
  }

  private void write(List<Settlement> first, List<Settlement> again, Ticker.Moment now) {
    if (write(first, false, now)) {
      writeOneByOne(again, false);
    }
  }

  /** What was refused is offered once more, whatever else is refused in the same breath. */
  private void writeAtLast(List<Settlement> first, List<Settlement> again, Ticker.Moment now) {
    StoreException refusal = null;
    try {
      write(first, true, now);
    } catch (StoreException e) {
      if (!e.isOfItsRows()) {
        throw e;
      }
      refusal = e;
    }
    writeOneByOne(again, true);
    if (refusal != null) {
      throw refusal;
    }
  }

  private long flying() {
    return keeper.runs().awake().sum(LaneRun::flying);
  }

  /** Which lanes' ends cannot be written, in words; empty when all can. */
  public String waits() {
    return refusedSettles.waits();
  }

  /** True when something is to be settled that the last call did not see. */
  public boolean isAnythingLeft() {
    return !settleBatching.isWaiting()
        && keeper.runs().awake().any(run -> run.isReadyToSettle(ticker.now()) && !run.isLocked());
  }

  /** True when the end of what is in flight is looked for as soon as it is to be settled. */
  public boolean gathers() {
    return settleBatching.gathers(keeper.runs().awake(), ticker.now());
  }

  /** The longest rest before this has something to do, if that is shorter than {@code rest}. */
  public Duration longestRest(Duration rest) {
    Ticker.Moment now = ticker.now();
    return lockedLanes.atMost(settleBatching.atMost(rest, now), now);
  }

  /** True when nothing was refused. */
  private boolean write(List<Settlement> settlements, boolean atLast, Ticker.Moment now) {
    if (settlements.isEmpty()) {
      return true;
    }
    try {
      writeTogether(settlements, now);
      return true;
    } catch (StoreException e) {
      if (!e.isOfItsRows()) {
        renewAfter(e, settlements, now);
        throw e;
      }
      if (LockPatience.isLocked(e)) {
        lockedLanes.waited(e, now);
      }
      writeOneByOne(isQuick(now) ? settlements : due.withRenewalsOfAll(settlements), atLast);
      return false;
    }
  }

  private boolean isQuick(Ticker.Moment begun) {
    return ticker.now().isWithin(QUICK, begun);
  }

  private void renewAfter(
      StoreException failure, List<Settlement> settlements, Ticker.Moment before) {
    Ticker.Moment now = ticker.now();
    if (DueSettlements.fates(settlements) == 0 || !isQuick(before)) {
      return;
    }
    List<Settlement> renewals = due.renewalsWithoutFloor(now);
    try {
      if (!renewals.isEmpty()) {
        writeTogether(renewals, now);
      }
    } catch (StoreException again) {
      failure.addSuppressed(again);
    }
  }

  private void writeTogether(List<Settlement> settlements, Ticker.Moment now) {
    Map<Lane, SettleResult> settleResults = offer(settlements);
    settlements.forEach(
        settlement -> settled(settlement, settleResults.get(settlement.lease().lane()), now));
  }

  /** True when messages were gone since the last call, as after a TRUNCATE under this relay. */
  public boolean foundGone() {
    boolean found = foundGone;
    foundGone = false;
    return found;
  }

  /** What was offered and not answered may have been written: its messages may be gone. */
  private Map<Lane, SettleResult> offer(List<Settlement> settlements) {
    try {
      int fates = DueSettlements.fates(settlements);
      return Recording.settle(fates, settlements.size(), () -> store.settle(settlements));
    } catch (StoreException e) {
      if (!e.isOfItsRows()) {
        due.unanswered(settlements);
      }
      throw e;
    }
  }

  /** Ends behind one that was waited for come next time, alone, unless this is the last. */
  private void writeOneByOne(List<Settlement> settlements, boolean atLast) {
    StoreException unheard = null;
    boolean quick = true;
    for (Settlement settlement : settlements) {
      LaneRun run = keeper.run(settlement.lease().lane());
      boolean keepsALease = settlement.fates().isEmpty();
      boolean isPutOff = !(quick || atLast || keepsALease);
      if (run != null && !run.isLocked() && isPutOff) {
        run.putOff(ticker.now());
      } else if (run != null && !run.isLocked()) {
        Ticker.Moment now = ticker.now();
        try {
          writeAlone(settlement, run, now);
        } catch (StoreException e) {
          unheard = e;
          quick = false; // a lane that is not renewed cannot outlast a wait
          if (!e.isOfItsRows()) {
            break; // the database is down
          }
        }
        quick &= keepsALease || isQuick(now);
      }
    }
    if (unheard != null) {
      throw unheard;
    }
  }

  private void writeAlone(Settlement settlement, LaneRun run, Ticker.Moment now) {
    Lane lane = settlement.lease().lane();
    try {
      settled(settlement, offer(List.of(settlement)).get(lane), now);
    } catch (StoreException e) {
      if (LockPatience.isLocked(e)) {
        lockedLanes.waited(e, now);
        if (run.isLocked()) {
          return;
        }
      }
      if (!e.isOfItsRows() || settlement.fates().isEmpty()) {
        throw e;
      }
      Ticker.Moment refused = ticker.now();
      Duration rest = run.refused(refused, due.rest(run, refused.surelySince(now)));
      refusedSettles.refused(settlement, rest, e, refused);
    }
  }

  private void settled(
      Settlement settlement, @Nullable SettleResult settleResult, Ticker.Moment beforeSettle) {
    Lane lane = settlement.lease().lane();
    if (settleResult instanceof SettleResult.Settled settled) {
      LaneRun run = keeper.run(lane);
      boolean mayRepeat = run != null && run.mayBeSettled();
      int missing = mayRepeat ? 0 : settled.missing();
      foundGone |= missing > 0;
      relayEvents.settled(settlement, missing, settled.taken());
      if (run != null) {
        run.settled(settlement, settled, beforeSettle);
      }
    } else {
      relayEvents.lost(settlement);
    }
    if (!(settleResult instanceof SettleResult.Settled)
        || settlement.after() == Settlement.After.RELEASE) {
      keeper.drop(lane);
    }
  }
}
