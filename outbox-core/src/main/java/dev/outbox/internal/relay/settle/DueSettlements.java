package dev.outbox.internal.relay.settle;

import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.LaneRun;
import dev.outbox.spi.settle.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is to be settled next: batches that are finished, and leases that are to be renewed or
 * released.
 *
 * <p>Used by the loop thread only.
 */
record DueSettlements(LeaseKeeper keeper, Duration renewal) {
  private static final int PART = 3;

  /** How many messages have their fates in these. */
  static int fates(List<Settlement> settlements) {
    int fates = 0;
    for (Settlement settlement : settlements) {
      fates += settlement.fates().size();
    }
    return fates;
  }

  /** What is finished, if that is to be settled now, and what is due. */
  List<Settlement> first(boolean settles, Ticker.Moment now) {
    List<Settlement> first = new ArrayList<>();
    Duration renewed = renewedWithin(now);
    for (LaneRun run : keeper.runs()) {
      boolean ends = settles && run.isReadyToSettle(now) && !run.wasRefused();
      boolean due = ends || run.isReadyToRelease() || run.isOlderThan(renewed, now);
      if (due && !run.isLocked()) {
        first.add(run.wasRefused() ? run.renewal() : settlement(run, now));
      }
    }
    return first;
  }

  /** What was refused before; what has waited longest comes first. */
  List<Settlement> again(List<LaneRun> finished, Ticker.Moment now) {
    return finished.stream()
        .filter(LaneRun::wasRefused)
        .sorted(Comparator.comparing(LaneRun::lastRefusal))
        .map(run -> settlement(run, now))
        .toList();
  }

  /**
   * How long a lane rests at least that was refused after it had {@code waited}: longer beside
   * others, so that the waits of all take a part of the time.
   */
  Duration rest(LaneRun refused, Duration waited) {
    int others = keeper.runs().those(run -> run != refused && run.wasRefusedByItself()).size();
    return waited.multipliedBy((long) others * PART);
  }

  /** A busy lane is renewed with one of its settles, before it would be by itself. */
  private Settlement settlement(LaneRun run, Ticker.Moment now) {
    return run.settlement(Durations.half(renewal), now);
  }

  /** These were offered to the store, which did not answer. */
  void unanswered(List<Settlement> settlements) {
    for (Settlement settlement : settlements) {
      LaneRun run = keeper.run(settlement.lease().lane());
      if (run != null && !settlement.fates().isEmpty()) {
        run.settleUnanswered();
      }
    }
  }

  /** Renewals of all lanes, and then the {@code settlements} that are none. */
  List<Settlement> withRenewalsOfAll(List<Settlement> settlements) {
    Stream<Settlement> renewals =
        keeper.runs().stream().filter(run -> !run.isLocked()).map(LaneRun::renewal);
    Stream<Settlement> others = settlements.stream().filter(each -> !isRenewal(each));
    return Stream.concat(renewals, others).toList();
  }

  private static boolean isRenewal(Settlement settlement) {
    return settlement.fates().isEmpty() && settlement.after() == Settlement.After.RENEW;
  }

  /** Renewals of what is due, without any ends. */
  List<Settlement> renewals(Ticker.Moment now) {
    return toRenew(now).stream().map(LaneRun::renewal).toList();
  }

  /** As {@link #renewals}, after a failure: the database may have gone back. */
  List<Settlement> renewalsWithoutFloor(Ticker.Moment now) {
    return toRenew(now).stream().map(LaneRun::renewalWithoutFloor).toList();
  }

  private List<LaneRun> toRenew(Ticker.Moment now) {
    Duration renewed = renewedWithin(now);
    return keeper.runs().those(run -> !run.isLocked() && run.isOlderThan(renewed, now));
  }

  /** When one lease is due for renewal, those that will be soon are renewed along with it. */
  private Duration renewedWithin(Ticker.Moment now) {
    boolean due = keeper.runs().any(run -> !run.isLocked() && run.isOlderThan(renewal, now));
    return due ? Durations.half(renewal) : renewal;
  }
}
