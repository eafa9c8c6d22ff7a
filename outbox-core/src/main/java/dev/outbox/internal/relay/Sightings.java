package dev.outbox.internal.relay;

import dev.outbox.store.ClusterStore.Orphan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
 * everything that they took until then has come before it. The first is what the step is for. They are asked once they say
 * that they take over and are heard, because they begin with it only then; and anew when others come before us.
 *
 * One that lives and does not answer is waited for PATIENCE steps: what nobody else takes must not stay for ever. How long
 * something has stood there is told by the clock that nobody sets: it is safe to wait for longer.
 */
final class Sightings {
  static final int PATIENCE = 12;

  private final Map<Orphan, Sighting> seen = new HashMap<>();
  private List<Integer> before = List.of();

  private static final class Sighting {
    final Ticker.Moment at;
    @Nullable Long asked;

    Sighting(Ticker.Moment at) {
      this.at = at;
    }

    boolean isAnswered(long beat, Answer answer) {
      if (!answer.to(0)) {
        asked = null;
        return false;
      }
      if (asked == null) {
        asked = beat;
      }
      return answer.to(asked);
    }
  }

  /** Whether those before us take over, and have answered our beat of this number. */
  interface Answer {
    boolean to(long beat);
  }

  /** Those that are ours to take, in their order, and how many of them without an answer. */
  record Ripe(List<Orphan> orphans, long unanswered) {}

  /** {@code first} come before us: what those before them have answered does not count. */
  Sightings behind(List<Integer> first) {
    if (!first.equals(before)) {
      before = first;
      seen.values().forEach(sighting -> sighting.asked = null);
    }
    return this;
  }

  /** These stand there {@code now}; which of them are ours to take? */
  Ripe ripe(List<Orphan> there, Duration step, long beat, Answer answer, Ticker.Moment now) {
    seen.keySet().retainAll(Set.copyOf(there));
    there.forEach(orphan -> seen.computeIfAbsent(orphan, any -> new Sighting(now)));
    Duration turn = step.multipliedBy(before.size());
    List<Orphan> ripe = new ArrayList<>();
    long unanswered = 0;
    for (Orphan orphan : there) {
      Sighting sighting = Objects.requireNonNull(seen.get(orphan));
      Duration stood = now.surelySince(sighting.at);
      if (stood.compareTo(turn) >= 0) {
        boolean isAnswered = sighting.isAnswered(beat, answer);
        if (isAnswered || stood.compareTo(turn.multipliedBy(PATIENCE)) >= 0) {
          ripe.add(orphan);
          unanswered += isAnswered ? 0 : 1;
        }
      }
    }
    return new Ripe(ripe, unanswered);
  }
}
