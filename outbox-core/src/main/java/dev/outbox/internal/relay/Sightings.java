package dev.outbox.internal.relay;

import dev.outbox.store.ClusterStore.Orphan;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Since when messages stand in a lane that another cluster is to take over before this one.
 *
 * <p>Used by one thread.
 */
/*
 * They are for those before us, who take them as soon as they have them. What is still there after a step of the maximum
 * delay for each of them is either on its way to them, or they took it and that is on its way to us, or they never had it. The
 * second is ruled out by asking: once their beats tell that they have received one of ours which was written after the step,
 * everything that they took until then has come before it. The first is what the step is for.
 *
 * One that lives and does not answer is waited for PATIENCE steps: what nobody else takes must not stay for ever.
 */
final class Sightings {
  static final int PATIENCE = 12;

  private final Map<Orphan, Sighting> seen = new HashMap<>();

  private static final class Sighting {
    final Ticker.Moment at;
    @Nullable Long asked;

    Sighting(Ticker.Moment at) {
      this.at = at;
    }
  }

  /** Whether those before us have answered our beat of this number. */
  interface Answer {
    boolean to(long beat);
  }

  /**
   * These stand there {@code now}; which of them are ours to take, {@code rank} being before us? In
   * the same order.
   */
  List<Orphan> ripe(
      List<Orphan> there, int rank, Duration step, long beat, Answer answer, Ticker.Moment now) {
    seen.keySet().retainAll(Set.copyOf(there));
    there.forEach(orphan -> seen.computeIfAbsent(orphan, any -> new Sighting(now)));
    Duration turn = step.multipliedBy(rank);
    return there.stream()
        .filter(orphan -> isRipe(seen.get(orphan), turn, beat, answer, now))
        .toList();
  }

  private static boolean isRipe(
      @Nullable Sighting sighting, Duration turn, long beat, Answer answer, Ticker.Moment now) {
    if (sighting == null || now.since(sighting.at).compareTo(turn) < 0) {
      return false;
    }
    if (sighting.asked == null) {
      sighting.asked = beat;
    }
    boolean isLong = now.since(sighting.at).compareTo(turn.multipliedBy(PATIENCE)) >= 0;
    return isLong || answer.to(sighting.asked);
  }
}
