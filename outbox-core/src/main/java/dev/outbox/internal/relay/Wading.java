package dev.outbox.internal.relay;

import dev.outbox.message.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many lanes one statement may wade through: those of which no floor is known, as after a
 * failure, and those in which something was found below it.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Such a read goes through all that is dead in its lane. On most days that is nothing, and soon all lanes are asked together. Beside an
 * old snapshot it may be millions of rows, and one statement over all lanes would be given up at its time limit, and the next
 * one again, for as long as the snapshot is there. So their number follows the time that the last one took, they take turns, and after
 * a slow one the lanes whose floors are known have most of the time.
 */
final class Wading {
  private static final Duration QUICK = Duration.ofMillis(50);
  private static final Duration SLOW = Duration.ofMillis(500);
  private static final int SHARE_OF_TIME = 4;
  private static final int FIRST = 8;
  private static final int MOST = 1024;
  private static final Comparator<LaneRun> BY_LANE = LaneRun.BY_LANE;

  private final Spacing rests = new Spacing(Duration.ZERO, SHARE_OF_TIME);
  private final Supplier<Collection<LaneRun>> owned;
  private int most = FIRST;
  private @Nullable Lane last;

  /** For a relay that owns what {@code owned} gives. */
  Wading(Supplier<Collection<LaneRun>> owned) {
    this.owned = owned;
  }

  /** The lanes that one statement may ask for: all with a floor, and as many others as may be. */
  List<LaneRun> few(Collection<LaneRun> lanes, Ticker.Moment now) {
    List<LaneRun> low = lanes.stream().filter(run -> run.floor().isLow()).sorted(BY_LANE).toList();
    if (low.isEmpty()) {
      return List.copyOf(lanes);
    }
    List<LaneRun> chosen = isResting(now) ? List.of() : next(low);
    return lanes.stream().filter(run -> !run.floor().isLow() || chosen.contains(run)).toList();
  }

  private List<LaneRun> next(List<LaneRun> low) {
    List<LaneRun> inTurn = new ArrayList<>(low);
    Lane before = last;
    if (before != null) {
      inTurn.removeIf(run -> run.lane().compareTo(before) <= 0);
      low.stream().filter(run -> run.lane().compareTo(before) <= 0).forEach(inTurn::add);
    }
    List<LaneRun> chosen = inTurn.subList(0, Math.min(most, inTurn.size()));
    last = chosen.get(chosen.size() - 1).lane();
    return chosen;
  }

  /** True while a slow one is not to be followed by another, for the sake of lanes with a floor. */
  boolean isResting(Ticker.Moment now) {
    return rests.isResting(now) && owned.get().stream().anyMatch(run -> !run.floor().isLow());
  }

  /** A statement over these lanes has ended, well or not; nothing of what it told is noted yet. */
  void took(Collection<LaneRun> lanes, Ticker.Moment began, Ticker.Moment ended) {
    if (lanes.stream().noneMatch(run -> run.floor().isLow())) {
      return;
    }
    Duration time = ended.surelySince(began);
    rests.begins(ended);
    rests.took(time.compareTo(QUICK) < 0 ? Duration.ZERO : time);
    if (time.compareTo(QUICK) < 0) {
      most = Math.min(MOST, most * 2);
    } else if (time.compareTo(SLOW) > 0) {
      most = Math.max(1, most / 4);
    }
  }
}
