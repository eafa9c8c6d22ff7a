package dev.outbox.store;

import java.time.Duration;
import java.util.List;

/**
 * The dead letters of a store.
 *
 * <p>Safe for use by many threads. Every method is a short transaction of its own.
 */
public interface DeadStore {
  /** At most {@code limit} dead letters with a number above {@code after}, in order of number. */
  List<DeadLetter> page(long after, int limit);

  /** How many there are, counting no further than {@code bound}. */
  long count(long bound);

  /**
   * Appends these to the ready table, same message ids, fresh database ids, in the order of their
   * numbers. Returns how many were there.
   */
  int replay(List<Long> numbers);

  /** Deletes these for good. Returns how many were there. */
  int discard(List<Long> numbers);

  /**
   * Deletes at most {@code atMost} that died longer ago than {@code retention}. Returns how many.
   */
  int purge(Duration retention, int atMost);
}
