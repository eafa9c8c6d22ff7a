package dev.outbox.internal.relay.cluster;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.spi.cluster.ClusterStore.Orphan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Since when messages are in a lane that another cluster is to take over before this one.
 *
 * <p>Used by one thread.
 */
/*
 * They are for those before us, who take them as soon as they have them. What is still there after a step of the
 * maximum delay for each of them is either on its way to them, or they took it and that is on its way to us, or they
 * never had it. The second is ruled out by asking: once their beats tell that they have received one of ours which was
 * written after the step, everything that they took until then has come before it. The first is what the step is for.
 * They are asked once they say that they take over and are heard, because they begin with it only then; and again when
 * others come before us.
 *
 * Or they have not come to it yet, because they began late or there is much. They take in this order. So the step
 * begins again when they say that they take over, and whenever something goes that stood ahead: what goes behind it
 * they had, and it not.
 *
 * One that lives and does not answer is waited for PATIENCE steps, from when it first said that it takes over: what no
 * other cluster takes must not stay for ever. How long something has been there is measured by the monotonic clock: it
 * is safe to wait for longer.
 */
final class OrphanQueue {
  static final int PATIENCE = 12;

  private final Map<Orphan, Sighting> seen = new HashMap<>();
  private List<Orphan> last = List.of();
  private List<Integer> before = List.of();
  private boolean agreed;

  private static final class Sighting {
    Ticker.Moment at;
    Ticker.Moment begun;
    boolean hasBeenAgreed;
    @Nullable Long asked;

    Sighting(Ticker.Moment now, boolean agreed) {
      this.at = now;
      this.begun = now;
      this.hasBeenAgreed = agreed;
    }

    void startOver(Ticker.Moment now) {
      begun = now;
      asked = null;
    }

    void agreed(Ticker.Moment now) {
      startOver(now);
      if (!hasBeenAgreed) {
        hasBeenAgreed = true;
        at = now;
      }
    }

    boolean isAnswered(long beat, Answer answer) {
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
  OrphanQueue behind(List<Integer> first) {
    if (!first.equals(before)) {
      before = first;
      agreed = false;
    }
    return this;
  }

  /** These are there {@code now}; which of them are ours to take? */
  Ripe ripe(List<Orphan> there, Duration step, long beat, Answer answer, Ticker.Moment now) {
    look(there, answer.to(0), now);
    Duration turn = step.multipliedBy(before.size());
    List<Orphan> ripe = new ArrayList<>();
    long unanswered = 0;
    for (Orphan orphan : there) {
      Sighting sighting = Objects.requireNonNull(seen.get(orphan));
      boolean isAnswered =
          agreed
              && now.surelySince(sighting.begun).compareTo(turn) >= 0
              && sighting.isAnswered(beat, answer);
      Duration stood = now.surelySince(sighting.at);
      if (isAnswered || stood.compareTo(turn.multipliedBy(PATIENCE)) >= 0) {
        ripe.add(orphan);
        unanswered += isAnswered ? 0 : 1;
      }
    }
    return new Ripe(ripe, unanswered);
  }

  private void look(List<Orphan> there, boolean agree, Ticker.Moment now) {
    startOverBehindThoseThatWent(Set.copyOf(there), now);
    there.forEach(orphan -> seen.computeIfAbsent(orphan, any -> new Sighting(now, agree)));
    if (agree && !agreed) {
      seen.values().forEach(sighting -> sighting.agreed(now));
    }
    agreed = agree;
    last = there;
  }

  private void startOverBehindThoseThatWent(Set<Orphan> there, Ticker.Moment now) {
    boolean wentAhead = false;
    for (Orphan orphan : last) {
      if (!there.contains(orphan)) {
        seen.remove(orphan);
        wentAhead = true;
      } else if (wentAhead) {
        Objects.requireNonNull(seen.get(orphan)).startOver(now);
      }
    }
  }

  /** We took these ourselves: that they go tells nothing of those before us. */
  void took(List<Orphan> taken) {
    taken.forEach(seen::remove);
    last = last.stream().filter(seen::containsKey).toList();
  }
}
