package dev.outbox.spi;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import java.time.Duration;
import java.util.List;

/**
 * The dead letters of a store.
 *
 * <p>Safe for use by many threads. Every method is one short transaction.
 */
public interface DeadStore {
  /**
   * At most {@code limit} dead letters that fit, with a number above {@code after}, in order of
   * number.
   */
  List<DeadLetter> page(Filter filter, long after, int limit);

  /**
   * The same without headers, payloads and histories. As the pages describe them; a store does
   * better that reads no payload for it.
   */
  default List<DeadLetter.Summary> summaries(Filter filter, long after, int limit) {
    return page(filter, after, limit).stream().map(DeadLetter::summary).toList();
  }

  /**
   * The names of at most {@code limit} dead letters that fit, with a number above {@code after}, in
   * order of number. As the pages describe them; a store does better that reads no message for it.
   */
  default List<DeadLetter.Id> ids(Filter filter, long after, int limit) {
    return page(filter, after, limit).stream().map(DeadLetter::id).toList();
  }

  /**
   * The highest number of all, 0 when there is no dead letter. As a search by {@link #ids} finds
   * it; a store does better that can ask for it.
   */
  default long last() {
    long last = 0;
    long highest = Long.MAX_VALUE;
    while (last < highest) {
      long middle = last + (highest - last) / 2;
      List<DeadLetter.Id> above = ids(Filter.all(), middle, 1);
      if (above.isEmpty()) {
        highest = middle;
      } else {
        last = above.get(0).number();
      }
    }
    return last;
  }

  /** How many fit, counting no further than {@code bound}. */
  long count(Filter filter, long bound);

  /**
   * Appends these to the ready table, same message ids, fresh database ids, in the order of their
   * numbers. One that holds its key returns to its place before those that wait behind it, with the
   * id that it had. Returns how many were there.
   */
  int replay(List<DeadLetter.Id> letters);

  /**
   * Deletes these for good; those that wait behind one that held its key go on. Returns how many
   * were there.
   */
  int discard(List<DeadLetter.Id> letters);

  /**
   * Deletes at most {@code atMost} that died longer ago than {@code retention}, but none that holds
   * its key. Returns how many.
   */
  int purge(Duration retention, int atMost);
}
