package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.read.VisibleIds.Sighting;
import dev.outbox.spi.LaneStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows writers that stay open for long, and up to which id nobody else may still commit: so reads
 * need not wade through what was settled meanwhile.
 *
 * <p>Used by one thread.
 */
/*
 * Beside an enqueue that is held open the safe id stands still, and reads that begin at the floor wade through the dead
 * rows of all that came since. What the writer left is below where the others begin; so a read counts only if the
 * writer was still open for it. A commit becomes visible before its locks go, so it is the store that has to say so.
 */
final class LastingWriters {
  private static final Duration LASTING = Duration.ofSeconds(1);

  private final LaneStore store;
  private final Runnable ended;
  private final Set<String> names = new HashSet<>();
  private @Nullable Sighting next;
  private long id;

  /** {@code ended} hears that one of them has ended: what it committed may be anywhere. */
  LastingWriters(LaneStore store, Runnable ended) {
    this.store = store;
    this.ended = ended;
  }

  /** Nobody but these writers may still commit a message up to this id. */
  long id() {
    return id;
  }

  /** True when all of them were open to each read that has returned. */
  boolean wereOpen() {
    if (names.isEmpty() || store.wereOpen(names)) {
      return true;
    }
    over();
    return false;
  }

  /**
   * Only {@code open} may still commit an id up to {@code highest}; the safe id waits for those of
   * {@code waited}.
   */
  void look(Set<String> open, @Nullable Sighting waited, long highest, Ticker.Moment now) {
    if (!open.containsAll(names)) {
      over();
    }
    if (names.isEmpty()) {
      next = waited;
    }
    endIfLeft(open, now);
    if (next == null && !names.isEmpty()) {
      next = new Sighting(highest, open, now);
      endIfLeft(open, now);
    }
  }

  private void endIfLeft(Set<String> open, Ticker.Moment now) {
    if (next != null && isLeftTo(next, open, now)) {
      id = next.id();
      next = null;
    }
  }

  /** True when all but lasting ones have ended of those who were open at the sighting. */
  private boolean isLeftTo(Sighting sighting, Set<String> open, Ticker.Moment now) {
    Set<String> all = new HashSet<>(sighting.stillOpen(open));
    all.addAll(names);
    if (all.size() == names.size()) {
      return true;
    }
    boolean last = now.surelySince(sighting.when()).compareTo(LASTING) >= 0 && store.wereOpen(all);
    if (last) {
      names.addAll(all);
    }
    return last;
  }

  /** The store does not tell any more who writes. */
  void untold() {
    if (!names.isEmpty()) {
      over();
    }
  }

  private void over() {
    forget();
    ended.run();
  }

  void forget() {
    names.clear();
    next = null;
    id = 0;
  }
}
