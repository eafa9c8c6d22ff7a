package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.read.VisibleIds.Sighting;
import dev.outbox.spi.LaneStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows the writers that stay open for long, and the id up to which only they may still commit.
 * Reads begin above it, and skip what was settled meanwhile.
 *
 * <p>Used by one thread.
 */
/*
 * While an enqueue is held open, the safe id does not rise. Reads that begin at the floor then wade through the dead rows
 * of everything that was settled since. What the writer left is below where the others begin; so a read counts only if the
 * writer was still open for it. A commit becomes visible before its locks go, so it is the store that has to say so.
 *
 * When one of several ends, reads go back to where they began before it was known: what it left is above.
 */
final class LastingWriters {
  private static final Duration LASTING = Duration.ofSeconds(1);

  private final LaneStore store;
  private final LongConsumer ended;
  private final List<Known> known = new ArrayList<>();
  private @Nullable Sighting next;
  private long id;

  /** Writers that last, and up to which id none of them may commit. */
  private record Known(Set<String> names, long above) {}

  /** {@code ended} hears above which id one of them has ended: reads have to begin there. */
  LastingWriters(LaneStore store, LongConsumer ended) {
    this.store = store;
    this.ended = ended;
  }

  /** The id up to which only these writers may still commit a message. */
  long id() {
    return id;
  }

  /** True when all of them were open to each read that has returned. */
  boolean wereOpen() {
    int open = known.size();
    while (open > 0 && !store.wereOpen(names(open))) {
      open--;
    }
    return !endBehind(open);
  }

  private Set<String> names(int first) {
    Set<String> names = new HashSet<>();
    known.subList(0, first).forEach(each -> names.addAll(each.names()));
    return names;
  }

  /**
   * Only {@code open} may still commit an id up to {@code highest}; the safe id waits for those of
   * {@code waited}.
   */
  void look(Set<String> open, @Nullable Sighting waited, long highest, Ticker.Moment now) {
    int still = 0;
    while (still < known.size() && open.containsAll(known.get(still).names())) {
      still++;
    }
    endBehind(still);
    if (known.isEmpty()) {
      next = waited;
    }
    endIfLeft(open, now);
    if (next == null && !known.isEmpty()) {
      next = new Sighting(highest, open, now);
      endIfLeft(open, now);
    }
  }

  private void endIfLeft(Set<String> open, Ticker.Moment now) {
    if (next != null && isLeft(next, open, now)) {
      id = next.id();
      next = null;
    }
  }

  /** True when all but lasting ones have ended of those who were open at the sighting. */
  private boolean isLeft(Sighting sighting, Set<String> open, Ticker.Moment now) {
    sighting.retain(open);
    Set<String> names = names(known.size());
    Set<String> others = new HashSet<>(sighting.open());
    others.removeAll(names);
    if (others.isEmpty()) {
      return true;
    }
    names.addAll(others);
    if (now.surelySince(sighting.when()).compareTo(LASTING) < 0 || !store.wereOpen(names)) {
      return false;
    }
    known.add(new Known(others, id));
    return true;
  }

  /** The store no longer shows who is writing. */
  void untold() {
    endBehind(0);
  }

  /** All but those that were known first may have ended. True when there are others. */
  private boolean endBehind(int first) {
    if (first == known.size()) {
      return false;
    }
    id = known.get(first).above();
    known.subList(first, known.size()).clear();
    next = null;
    ended.accept(id);
    return true;
  }

  void forget() {
    known.clear();
    next = null;
    id = 0;
  }
}
