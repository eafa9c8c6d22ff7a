package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * How many lanes one statement may wade through: those of which no floor is known, as after a
 * failure, and those in which something was found below it.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Such a read goes through all that is dead in its lane. On most days that is nothing, and soon all lanes are asked
 * together. Beside an old snapshot it may be millions of rows, and one statement over all lanes would be given up at
 * its time limit, and the next one again, for as long as the snapshot is there. So their number follows the time that
 * the last one took, they take turns, and after a slow one the lanes whose floors are known have most of the time.
 * There is at most one slow one between two settles, which renew leases. A lane that was slow all alone waits, so that
 * it keeps no other from its turn.
 */
public final class ColdReadThrottle {
  private static final Duration QUICK = Duration.ofMillis(250);
  private static final Duration SLOW = Duration.ofMillis(500);
  private static final int SHARE_OF_TIME = 4;
  private static final int FIRST = 8;

  private final Supplier<Collection<ReadableLane>> owned;
  private final Ticker ticker;
  private final Map<Lane, Long> waded = new HashMap<>();
  private final Map<Lane, DutyCycle> alone = new HashMap<>();
  private DutyCycle rests = new DutyCycle(Duration.ZERO, SHARE_OF_TIME);
  private int most = FIRST;
  private long statements;
  private boolean quick = true;
  private boolean slowInThisTurn;

  /** For a relay that owns what {@code owned} gives. */
  ColdReadThrottle(Supplier<Collection<ReadableLane>> owned, Ticker ticker) {
    this.owned = owned;
    this.ticker = ticker;
  }

  /** What was due has been settled and renewed. */
  public void turn() {
    slowInThisTurn = false;
  }

  /** The lanes that one statement may ask for: all with a floor, and as many others as may be. */
  Lanes<ReadableLane> few(Lanes<ReadableLane> lanes, Ticker.Moment now) {
    if (!lanes.any(ReadableLane::isLow)) {
      return lanes;
    }
    boolean none = slowInThisTurn || isResting(now);
    Set<Lane> chosen = none ? Set.of() : next(lanes, now);
    return lanes.those(run -> !run.isLow() || chosen.contains(run.lane()));
  }

  private Set<Lane> next(Collection<ReadableLane> lanes, Ticker.Moment now) {
    return lanes.stream()
        .filter(run -> run.isLow() && !restsAlone(run.lane(), now))
        .map(ReadableLane::lane)
        .sorted(
            Comparator.<Lane>comparingLong(lane -> waded.getOrDefault(lane, 0L))
                .thenComparing(Comparator.naturalOrder()))
        .limit(most)
        .collect(Collectors.toCollection(HashSet::new));
  }

  /** True when the last statement that waded was quick. */
  boolean wasQuick() {
    return quick;
  }

  /** True while a slow one is not to be followed by another, for the sake of lanes with a floor. */
  boolean isResting(Ticker.Moment now) {
    return rests.isResting(now) && owned.get().stream().anyMatch(run -> !run.isLow());
  }

  /** True while this lane alone took so long that the others come first, if there are any. */
  boolean restsAlone(Lane lane, Ticker.Moment now) {
    DutyCycle rest = alone.get(lane);
    return rest != null && rest.isResting(now) && owned.get().size() > 1;
  }

  /** True when the next turn may wade through one of these. */
  boolean isAnyNext(Collection<ReadableLane> lanes, Ticker.Moment now) {
    return !isResting(now) && lanes.stream().anyMatch(run -> !restsAlone(run.lane(), now));
  }

  /** How long it waits yet; zero when it does not. */
  Duration left(Ticker.Moment now) {
    return isResting(now) ? rests.left(now) : Duration.ZERO;
  }

  /** The next turn may wade through all lanes. True when until now some had to wait. */
  boolean endRests(Ticker.Moment now) {
    boolean rested =
        isResting(now) || owned.get().stream().anyMatch(run -> restsAlone(run.lane(), now));
    rests = new DutyCycle(Duration.ZERO, SHARE_OF_TIME);
    alone.clear();
    return rested;
  }

  /** What {@code statement} over these lanes returns; learns from how long it takes. */
  <T> T timed(Collection<ReadableLane> lanes, Supplier<T> statement) {
    Ticker.Moment began = ticker.now();
    boolean well = false;
    try {
      T result = statement.get();
      well = true;
      return result;
    } finally {
      took(lanes, well, began, ticker.now());
    }
  }

  /** A statement over these lanes has ended; nothing of what it told is noted yet. */
  private void took(
      Collection<ReadableLane> lanes, boolean well, Ticker.Moment began, Ticker.Moment ended) {
    List<Lane> low = low(lanes);
    if (low.isEmpty()) {
      return;
    }
    statements++;
    low.forEach(lane -> waded.put(lane, statements));
    Duration time = ended.surelySince(began);
    quick = time.compareTo(QUICK) < 0;
    rests.ended(ended, quick ? Duration.ZERO : time);
    if (time.compareTo(SLOW) > 0) {
      slowInThisTurn = true;
      most = Math.max(1, Math.min(most, low.size()) / 4);
      if (low.size() == 1) {
        alone
            .computeIfAbsent(low.get(0), lane -> new DutyCycle(Duration.ZERO, SHARE_OF_TIME))
            .ended(ended, time);
      }
    } else if (well && quick) {
      most = Math.max(most, Math.min(low.size(), most) * 2);
    }
  }

  private static List<Lane> low(Collection<ReadableLane> lanes) {
    List<Lane> low = List.of();
    for (ReadableLane run : lanes) {
      if (run.isLow()) {
        low = low.isEmpty() ? new ArrayList<>() : low;
        low.add(run.lane());
      }
    }
    return low;
  }

  /** No floor is known any more, and nothing of what it costs to be without. */
  void forget() {
    most = FIRST;
    quick = true;
    rests = new DutyCycle(Duration.ZERO, SHARE_OF_TIME);
    alone.clear();
    waded.clear();
  }
}
