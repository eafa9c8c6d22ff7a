package dev.outbox.internal.relay;

import dev.outbox.publish.Ack;
import dev.outbox.publish.Ordering;
import dev.outbox.store.Fate;
import dev.outbox.store.HeldKey;
import dev.outbox.store.Stored;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one read of one lane, on their way to their fates: either all ready or all
 * parked.
 *
 * <p>Used by the loop thread only.
 */
final class Batch {
  private final SettleDecision decision;
  private final List<Fate> fates = new ArrayList<>();
  private final Map<HeldKey, SettleDecision.Later> broken = new HashMap<>();
  private List<Stored> waiting;

  Batch(List<Stored> read, SettleDecision decision) {
    this.waiting = List.copyOf(read);
    this.decision = decision;
  }

  /**
   * Takes the next messages that may be published together, in order, at most {@code most}; decides
   * on the way those that may not be published. Empty when nothing is left to publish.
   */
  List<Stored> takeFlight(Set<HeldKey> held, Ordering ordering, int most, Ticker.Moment now) {
    List<Stored> aboard = new ArrayList<>();
    List<Stored> left = new ArrayList<>();
    Set<HeldKey> taken = new HashSet<>();
    for (Stored stored : waiting) {
      HeldKey key = stored.holdable();
      if (isDecided(stored, key, held, now)) {
        continue;
      }
      boolean fits = aboard.size() < most && (key == null || !taken.contains(key));
      if (fits) {
        aboard.add(stored);
      } else {
        left.add(stored);
      }
      if (key != null && (!fits || ordering == Ordering.ONE_PER_KEY)) {
        taken.add(key);
      }
    }
    waiting = left;
    return aboard;
  }

  private boolean isDecided(
      Stored stored, @Nullable HeldKey key, Set<HeldKey> held, Ticker.Moment now) {
    if (key != null && broken.containsKey(key)) {
      endUnsent(stored, key);
      return true;
    }
    if (key != null && !stored.isParked() && held.contains(key)) {
      fates.add(decision.follow(stored));
      return true;
    }
    if (stored.defect() != null) {
      fates.add(decision.unfit(stored, stored.defect(), now));
      return true;
    }
    return false;
  }

  /**
   * Decides all messages of a flight, in its order. Returns the pause that the publisher asked for
   * when it said that the broker is away (zero when it named none), else null.
   */
  @Nullable Duration land(OpenFlight flight, Ticker.Moment now) {
    Duration pause = null;
    for (int place = 0; place < flight.aboard().size(); place++) {
      Ack answer = flight.answer(place);
      if (answer instanceof Ack.Unavailable unavailable) {
        pause = longer(pause, unavailable.retryAfter());
      }
      decide(flight.aboard().get(place), answer, now);
    }
    return pause;
  }

  /** The longer of two pauses asked for; one that names no time asks for zero. */
  static Duration longer(@Nullable Duration one, @Nullable Duration other) {
    Duration known = Objects.requireNonNullElse(one, Duration.ZERO);
    return other != null && other.compareTo(known) > 0 ? other : known;
  }

  /** Decides the answered messages of a flight and leaves the others untouched. */
  void landAnswered(OpenFlight flight, Ticker.Moment now) {
    for (int place = 0; place < flight.aboard().size(); place++) {
      Stored stored = flight.aboard().get(place);
      Ack answer = flight.answer(place);
      if (answer != null) {
        decide(stored, answer, now);
      } else if (stored.holdable() != null) {
        broken.putIfAbsent(stored.holdable(), SettleDecision.Later.LEAVE);
      }
    }
  }

  private void decide(Stored stored, @Nullable Ack answer, Ticker.Moment now) {
    HeldKey key = stored.holdable();
    if (key != null && broken.containsKey(key) && !(answer instanceof Ack.Delivered)) {
      endUnsent(stored, key);
      return;
    }
    SettleDecision.Decision decided = decision.decide(stored, answer, now);
    if (decided.fate() != null) {
      fates.add(decided.fate());
    }
    if (key != null && decided.later() != SettleDecision.Later.GO_ON) {
      broken.put(key, decided.later());
    }
  }

  /**
   * One behind a message of its key that did not leave: a ready one follows it, a parked one stays
   * where it is.
   */
  private void endUnsent(Stored stored, HeldKey key) {
    if (broken.get(key) == SettleDecision.Later.FOLLOW && !stored.isParked()) {
      fates.add(decision.follow(stored));
    }
  }

  /** Takes the messages of a flight that never took off back, in front of those that wait. */
  void takeBack(OpenFlight grounded) {
    List<Stored> whole = new ArrayList<>(grounded.aboard());
    whole.addAll(waiting);
    waiting = whole;
  }

  /** Forgets what is not in the air yet: it stays in its table, untouched. */
  void dropWaiting() {
    waiting = List.of();
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  int size() {
    return waiting.size() + fates.size();
  }

  List<Fate> fates() {
    return fates;
  }
}
