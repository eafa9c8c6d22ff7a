package dev.outbox.internal.relay.lane;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Some lanes of a relay in ascending order.
 *
 * <p>Used by the loop thread only.
 */
/*
 * For each message a relay takes two or three turns, and asks all lanes some thirty questions in each. That is most of what
 * a message costs when there are few: so these are plain loops, which cost a fraction of streams over a tree, and most
 * questions go to the lanes that are awake.
 */
public final class Lanes<L extends ReadableLane> extends AbstractList<L> implements RandomAccess {
  private final List<L> lanes;
  private @Nullable Lanes<L> awake;

  private Lanes(List<L> ascending) {
    this.lanes = ascending;
  }

  /** Of lanes in ascending order. */
  public static <L extends ReadableLane> Lanes<L> of(Collection<? extends L> ascending) {
    return new Lanes<>(List.copyOf(ascending));
  }

  @Override
  public L get(int index) {
    return lanes.get(index);
  }

  @Override
  public int size() {
    return lanes.size();
  }

  /** Those that are not quiet: none or a few of them, most of the time. */
  public Lanes<L> awake() {
    Lanes<L> known = awake;
    if (known == null || !areAwake(known)) {
      known = those(lane -> !lane.isQuiet());
      awake = known;
    }
    return known;
  }

  /** True when these are still the ones that are not quiet. */
  private boolean areAwake(Lanes<L> known) {
    int found = 0;
    for (int index = 0; index < lanes.size(); index++) {
      L lane = lanes.get(index);
      if (!lane.isQuiet() && (found == known.size() || known.get(found++) != lane)) {
        return false;
      }
    }
    return found == known.size();
  }

  public boolean any(Predicate<? super L> wanted) {
    return first(wanted) != null;
  }

  public boolean all(Predicate<? super L> wanted) {
    for (int index = 0; index < lanes.size(); index++) {
      if (!wanted.test(lanes.get(index))) {
        return false;
      }
    }
    return true;
  }

  @Nullable
  public L first(Predicate<? super L> wanted) {
    for (int index = 0; index < lanes.size(); index++) {
      L lane = lanes.get(index);
      if (wanted.test(lane)) {
        return lane;
      }
    }
    return null;
  }

  /** Those that are wanted, in ascending order. */
  public Lanes<L> those(Predicate<? super L> wanted) {
    List<L> those = List.of();
    for (int index = 0; index < lanes.size(); index++) {
      L lane = lanes.get(index);
      if (wanted.test(lane)) {
        those = those.isEmpty() ? new ArrayList<>() : those;
        those.add(lane);
      }
    }
    return new Lanes<>(those);
  }

  /** What {@code answer} says of each. */
  public <T> List<T> each(Function<? super L, ? extends T> answer) {
    List<T> answers = new ArrayList<>(lanes.size());
    for (int index = 0; index < lanes.size(); index++) {
      answers.add(answer.apply(lanes.get(index)));
    }
    return answers;
  }

  public long sum(ToLongFunction<? super L> value) {
    long sum = 0;
    for (int index = 0; index < lanes.size(); index++) {
      sum += value.applyAsLong(lanes.get(index));
    }
    return sum;
  }

  /** The highest value, or 0. */
  public long highest(ToLongFunction<? super L> value) {
    long highest = 0;
    for (int index = 0; index < lanes.size(); index++) {
      highest = Math.max(highest, value.applyAsLong(lanes.get(index)));
    }
    return highest;
  }
}
