package dev.outbox;

import dev.outbox.store.DeadLetter;
import dev.outbox.store.DeadStore;
import dev.outbox.store.OutboxStore;
import java.time.Duration;
import java.util.List;

/**
 * The door for operators: looks at the messages that will not move by themselves, and puts them
 * back or throws them away.
 *
 * <p>Safe for use by many threads.
 */
public final class DeadLetters {
  /** The most that one call lists or moves. */
  public static final int MAX_PAGE = 1000;

  private final DeadStore store;
  private final OutboxStore outbox;

  private DeadLetters(OutboxStore outbox) {
    this.outbox = outbox;
    this.store = outbox.deadLetters();
  }

  public static DeadLetters of(OutboxStore store) {
    return new DeadLetters(store);
  }

  /**
   * A page of dead letters, oldest first; {@code after} is the number of the last one seen, 0 for
   * the first page.
   *
   * @throws IllegalArgumentException when the limit is not 1 to {@value #MAX_PAGE}
   */
  public List<DeadLetter> page(long after, int limit) {
    requirePage("limit", limit);
    return store.page(dev.outbox.store.DeadFilter.all(), after, limit);
  }

  /**
   * How many there are, counting no further than {@code bound}, so that the answer stays cheap.
   *
   * @throws IllegalArgumentException when the bound is below 1
   */
  public long count(long bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("bound is " + bound + ", the least is 1");
    }
    return store.count(dev.outbox.store.DeadFilter.all(), bound);
  }

  /**
   * Puts these back at the end of the outbox, with their message ids, in the order of their
   * numbers. Returns how many were there.
   *
   * @throws IllegalArgumentException when there are more than {@value #MAX_PAGE} numbers
   */
  public int replay(List<Long> numbers) {
    int replayed = numbers.isEmpty() ? 0 : store.replay(checked(numbers));
    outbox.wakeup().wake(java.util.Set.of());
    return replayed;
  }

  /**
   * Deletes these for good. Returns how many were there.
   *
   * @throws IllegalArgumentException when there are more than {@value #MAX_PAGE} numbers
   */
  public int discard(List<Long> numbers) {
    return numbers.isEmpty() ? 0 : store.discard(checked(numbers));
  }

  /**
   * Deletes those that died longer ago than {@code retention}, in batches. Returns how many.
   *
   * @throws IllegalArgumentException when the retention is negative
   */
  public long purge(Duration retention) {
    if (retention.isNegative()) {
      throw new IllegalArgumentException("retention is " + retention + ", the least is zero");
    }
    long purged = 0;
    int batch;
    do {
      batch = store.purge(retention, MAX_PAGE);
      purged += batch;
    } while (batch == MAX_PAGE);
    return purged;
  }

  private static List<Long> checked(List<Long> numbers) {
    requirePage("numbers", numbers.size());
    return List.copyOf(numbers);
  }

  private static void requirePage(String name, int size) {
    if (size < 1 || size > MAX_PAGE) {
      throw new IllegalArgumentException(name + " is " + size + ", it must be 1 to " + MAX_PAGE);
    }
  }
}
