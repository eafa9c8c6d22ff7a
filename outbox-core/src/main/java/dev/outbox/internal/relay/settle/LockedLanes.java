package dev.outbox.internal.relay.settle;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.LockPatience;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.LaneRun;
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
 * nothing of it is read or takes off, it is kept out of calls with other lanes, and it is tried alone now and then,
 * which costs a wait for the lock each time. In between, the relay has three times as long for its other lanes.
 */
public final class LockedLanes {
  private static final Logger log = LoggerFactory.getLogger(LockedLanes.class);

  private final String relay;
  private final Ticker ticker;
  private final LockPatience patience;

  public LockedLanes(String relay, Ticker ticker) {
    this.relay = relay;
    this.ticker = ticker;
    this.patience = new LockPatience(ticker);
  }

  /** True while none is tried. */
  boolean rest(Ticker.Moment now) {
    return patience.isOver(now);
  }

  /** A call for this lane alone has waited since {@code begun}. */
  void waitedFor(LaneRun run, StoreException failure, Ticker.Moment begun) {
    if (!run.isLocked()) {
      log.warn(
          "relay={} lane={} waits, another session keeps its row locked; the other lanes go on: {}",
          relay,
          run.lane(),
          failure.getMessage());
    }
    run.sureLease().foundLocked(ticker.now());
    patience.waited(begun);
  }

  /** Another call has waited since {@code begun} for rows of one lane. */
  void waited(Ticker.Moment begun) {
    patience.waited(begun);
  }

  /** Something was written for this lane. */
  void wrote(LaneRun run) {
    if (run.isLocked()) {
      log.info("relay={} lane={} goes on, its row is free again", relay, run.lane());
    }
  }
}
