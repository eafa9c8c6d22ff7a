package dev.outbox.internal.relay.settle;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lanes whose own rows other sessions keep locked. Each is told of when that begins and when it
 * ends.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Nothing can be written for such a lane: no fate, no renewal, no suspect. Nobody else can claim it either. So it rests:
 * nothing of it is read or takes off, and it is kept out of all calls. The store says which they are after a call that
 * has waited, and from then on now and then, without waiting for them.
 *
 * A store that cannot say so has none.
 */
public final class LockedLanes {
  private static final Logger log = LoggerFactory.getLogger(LockedLanes.class);
  private static final Duration BETWEEN = Duration.ofSeconds(1);
  private static final int PART = 3;

  private final LaneStore store;
  private final LeaseKeeper keeper;
  private final LockWaits lockWaits;
  private final String relay;
  private final Ticker ticker;
  private final DutyCycle questions = new DutyCycle(BETWEEN, PART);

  public LockedLanes(
      LaneStore store, LeaseKeeper keeper, LockWaits lockWaits, String relay, Ticker ticker) {
    this.store = store;
    this.keeper = keeper;
    this.lockWaits = lockWaits;
    this.relay = relay;
    this.ticker = ticker;
  }

  /** Asks which are still locked, if one was, and it is time to. */
  void look() {
    if (keeper.runs().any(LaneRun::isLocked) && questions.begins(ticker.now())) {
      questions.took(Duration.ZERO);
      ask();
    }
  }

  /** As {@link #look}, whatever the time. */
  void lookAtLast() {
    if (keeper.runs().any(LaneRun::isLocked)) {
      ask();
    }
  }

  /** The time until it asks again, or {@code rest} if that is shorter. */
  Duration atMost(Duration rest, Ticker.Moment now) {
    boolean asks = keeper.runs().any(LaneRun::isLocked);
    return asks ? Durations.shorter(rest, questions.left(now)) : rest;
  }

  private void ask() {
    Set<Lane> locked = store.locked();
    keeper.runs().forEach(run -> tell(run, locked.contains(run.lane())));
  }

  /** A call that was begun then has waited in vain: asks which are locked, if any. */
  void waited(StoreException wait, Ticker.Moment begun) {
    lockWaits.waited(ticker.now().since(begun));
    try {
      Set<Lane> locked = store.locked();
      keeper.runs().those(run -> locked.contains(run.lane())).forEach(run -> tell(run, true));
    } catch (StoreException e) {
      e.addSuppressed(wait);
      throw e;
    }
    questions.ended(ticker.now(), Duration.ZERO);
  }

  /** The relay closes: tells which results it could not save. */
  void tellUnsaved() {
    Ticker.Moment now = ticker.now();
    for (LaneRun run : keeper.runs().those(LaneRun::isLocked)) {
      int fates = run.settlement(Duration.ZERO, now).fates().size();
      if (fates > 0) {
        log.warn(
            "relay={} closes although the results of {} messages of lane={} are not saved, another session keeps its row locked; they are published again",
            relay,
            fates,
            run.lane());
      }
    }
  }

  private void tell(LaneRun run, boolean locked) {
    if (locked && !run.isLocked()) {
      log.warn(
          "relay={} lane={} waits, another session keeps its row locked; the other lanes go on",
          relay,
          run.lane());
    } else if (!locked && run.isLocked()) {
      log.info("relay={} lane={} goes on, its row is free again", relay, run.lane());
    }
    run.locked(locked);
  }
}
