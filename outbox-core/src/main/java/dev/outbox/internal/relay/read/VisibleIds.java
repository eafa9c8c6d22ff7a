package dev.outbox.internal.relay.read;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.base.Visible;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.lane.OpenTransactions;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Knows up to which id every message is visible, so that a floor up to there loses nothing.
 *
 * <p>Used by one thread.
 */
/*
 * An id is taken before its transaction commits, so a lower id than those already seen can still turn up. But the
 * transaction that took it had begun to write by then. So: remember the highest id seen, ask who is writing, and wait
 * until everyone on that list has ended; from then on nothing below that id is missing. One such wait is under way at a
 * time; the next one takes the highest id seen by then. The safe id thus trails by the longest of the transactions that
 * it met, and by nothing else.
 *
 * The highest id seen is not only that of the messages read: before it asks who writes, the relay asks for the newest
 * message there is. Else the safe id would trail behind the reads while a backlog is drained, and each of them would
 * wade through the dead rows of the last tenth of a second.
 *
 * Where the database does not show open transactions, an id is taken to be safe after a grace. A transaction that stays
 * open for longer than that is found by the sweep: late, out of order perhaps, but never lost.
 */
public final class VisibleIds {
  static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);
  private static final Duration WHILE_FEW = Duration.ofSeconds(1);
  private static final long FEW = 64;

  private final LaneStore store;
  private final Duration grace;
  private final Ticker ticker;
  private final DutyCycle newest = new DutyCycle(Duration.ZERO, 20);
  private final SeenIds seenIds = new SeenIds();
  private final LastingWriters lastingWriters;
  private @Nullable Sighting sighting;
  private Ticker.@Nullable Moment lastLook;
  private long highest;
  private long safe;
  private long ceiling = Long.MAX_VALUE;
  private long seen;
  private long seenByLastLook;

  /** The highest id at a moment, and who may still commit a lower one. */
  record Sighting(long id, Set<String> open, Ticker.Moment when) {
    Sighting {
      open = new HashSet<>(open);
    }

    /** Drops the writers that are not {@code still} open. */
    void retain(Set<String> still) {
      open.retainAll(still);
    }
  }

  /** {@code lastingEnded} hears that reads have to begin above this id, or at the floors, again. */
  public VisibleIds(LaneStore store, Duration grace, Ticker ticker, LongConsumer lastingEnded) {
    this.store = store;
    this.lastingWriters = new LastingWriters(store, lastingEnded);
    this.grace = grace;
    this.ticker = ticker;
  }

  /** A read that has just returned held messages up to {@code id}. */
  public void saw(long id, Ticker.Moment now) {
    seen = Math.max(seen, id);
    highest = Math.max(highest, Math.min(id, ceiling));
    seenIds.saw(highest, now);
  }

  /** The highest id that a read has returned. */
  long seen() {
    return seen;
  }

  /** Ids above {@code ceiling} are yet to be given: nothing up to there is safe. */
  void limit(long ceiling) {
    this.ceiling = ceiling;
  }

  /** The id up to which every message is visible to a read that begins from now on. */
  public long safe() {
    return safe;
  }

  /** What is visible to a read that begins from now on. */
  public Visible visible() {
    return new Visible(safe, Math.max(safe, lastingWriters.id()));
  }

  /**
   * False when what has just been read or looked at may lack messages up to {@link Visible#clear}.
   */
  public boolean wasClear() {
    return lastingWriters.wereOpen();
  }

  /** As {@link #look}, before a read. It wades through what was seen since: a few are no reason. */
  void lookBeforeRead(Ticker.Moment now) {
    if (seen - seenByLastLook >= FEW || !now.isWithin(WHILE_FEW, lastLook)) {
      look(now);
    }
  }

  /** Asks who writes, if there is something to learn from it and it was not asked just now. */
  public void look(Ticker.Moment now) {
    if (now.isWithin(BETWEEN_LOOKS, lastLook)) {
      return;
    }
    seenIds.saw(highest, now);
    if (sighting == null && seenIds.isEmpty()) {
      return;
    }
    lastLook = now;
    seenByLastLook = seen;
    highest = Math.max(highest, Math.min(newest(now), ceiling)); // marked by the next look
    OpenTransactions openTransactions = store.openTransactions();
    if (openTransactions instanceof OpenTransactions.Known known) {
      look(known, now);
    } else {
      sighting = null;
      lastingWriters.untold();
      safe = Math.max(safe, seenIds.usedUp(grace, now));
    }
  }

  /**
   * It may have to wade from the top, and only saves others from doing so: it must not cost more.
   */
  private long newest(Ticker.Moment now) {
    if (newest.isResting(now)) {
      return highest;
    }
    Ticker.Moment before = ticker.now();
    try {
      return store.newest(highest);
    } catch (StoreException e) {
      if (!e.isSlow()) {
        throw e;
      }
      return highest;
    } finally {
      Ticker.Moment after = ticker.now();
      newest.ended(after, after.surelySince(before));
    }
  }

  private void look(OpenTransactions.Known known, Ticker.Moment now) {
    endIfGone(known.open());
    if (sighting == null) {
      long marked = seenIds.usedUp(known.lag(), now);
      long id = known.lag().isZero() ? Math.max(marked, highest) : marked;
      if (id > safe) {
        sighting = new Sighting(id, known.open(), now);
        endIfGone(known.open());
      }
    }
    if (known.lag().isZero()) {
      lastingWriters.look(known.open(), sighting, highest, now);
    }
  }

  private void endIfGone(Set<String> open) {
    if (sighting == null) {
      return;
    }
    sighting.retain(open);
    if (sighting.open().isEmpty()) {
      safe = Math.max(safe, sighting.id());
      sighting = null;
    }
  }

  /** Ids may have gone back, as after a restore: begins again. */
  void forget() {
    seenIds.clear();
    lastingWriters.forget();
    sighting = null;
    highest = 0;
    safe = 0;
    seen = 0;
    seenByLastLook = 0;
  }
}
