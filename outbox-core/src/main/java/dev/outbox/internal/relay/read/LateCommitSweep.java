package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.LaneStore.Cursor;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Looks about once a minute for messages below the floors, where there should be none: piece by
 * piece from the first id, in a small part of the time.
 *
 * <p>Used by the loop thread only.
 */
/*
 * Below the floors stand the dead rows that the floors spare every read, and beside an old snapshot there is no end of them:
 * one statement over all of them takes longer than any may, and the relay would be busy with nothing else. So a piece is
 * a range of ids, shorter when the last one took long, and much longer when it was quick: where nothing is dead, as on most days,
 * a few pieces reach any floor.
 */
final class LateCommitSweep {
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration QUICK = Duration.ofMillis(10);
  private static final Duration SLOW = Duration.ofMillis(100);
  private static final int SHARE_OF_TIME = 50;
  private static final long BYTES = 1 << 20;
  private static final long FIRST_PIECE = 20_000;
  private static final long SHORTEST_PIECE = 1_000;
  private static final long LONGEST_PIECE = Long.MAX_VALUE >> 8;

  private final LaneStore store;
  private final Ticker ticker;
  private final DutyCycle rounds = new DutyCycle(EVERY, 1);
  private final DutyCycle pieces = new DutyCycle(Duration.ZERO, SHARE_OF_TIME);
  private boolean under;
  private long swept;
  private long piece = FIRST_PIECE;

  LateCommitSweep(LaneStore store, Ticker ticker) {
    this.store = store;
    this.ticker = ticker;
    rounds.begins(ticker.now());
  }

  /**
   * Looks through the next piece, when it is time: lanes where it finds something read from there.
   */
  void goOn(Collection<ReadableLane> runs) {
    Ticker.Moment now = ticker.now();
    if (!under && rounds.begins(now)) {
      under = true;
      swept = 0;
      piece = Math.min(piece, FIRST_PIECE);
    }
    if (!under || !pieces.begins(now)) {
      return;
    }
    List<ReadableLane> below = runs.stream().filter(run -> run.canSweepAbove(swept)).toList();
    if (below.isEmpty()) {
      under = false;
      return;
    }
    long top = below.stream().mapToLong(run -> run.floor()).max().orElseThrow();
    long span = Math.min(piece, top - swept);
    try {
      look(below, span);
    } finally {
      took(span, ticker.now().surelySince(now));
    }
  }

  private void look(List<ReadableLane> below, long span) {
    List<Cursor> cursors = below.stream().map(run -> new Cursor(run.lane(), swept, 1)).toList();
    Set<Lane> found =
        store.readPast(cursors, BYTES, Set.of(), span).stream()
            .filter(storedEnvelope -> isBelow(storedEnvelope, below))
            .map(StoredEnvelope::lane)
            .collect(Collectors.toSet());
    for (ReadableLane run : below) {
      if (found.contains(run.lane())) {
        run.sweepFrom(swept);
      }
    }
    if (found.isEmpty()) {
      swept += span;
    } // else it is looked through again: the store may have cut the last lanes short
  }

  private static boolean isBelow(StoredEnvelope storedEnvelope, List<ReadableLane> runs) {
    return runs.stream()
        .anyMatch(
            run -> run.lane().equals(storedEnvelope.lane()) && storedEnvelope.id() <= run.floor());
  }

  private void took(long span, Duration time) {
    pieces.took(time);
    if (time.compareTo(QUICK) < 0) {
      piece = Math.min(LONGEST_PIECE, Math.max(piece, span * 8));
    } else if (time.compareTo(SLOW) > 0) {
      piece = Math.max(SHORTEST_PIECE, span / 4);
    }
  }
}
