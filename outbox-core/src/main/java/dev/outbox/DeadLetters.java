package dev.outbox;

import dev.outbox.store.DeadFilter;
import dev.outbox.store.DeadLetter;
import dev.outbox.store.DeadStore;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

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
   * A page of all dead letters, as {@link #page(DeadFilter, long, int)} of {@link DeadFilter#all}.
   */
  public List<DeadLetter> page(long after, int limit) {
    return page(DeadFilter.all(), after, limit);
  }

  /**
   * A page of the dead letters that fit, oldest first; {@code after} is the number of the last one
   * seen, 0 for the first page.
   *
   * @throws IllegalArgumentException when the limit is not 1 to {@value #MAX_PAGE}
   */
  public List<DeadLetter> page(DeadFilter filter, long after, int limit) {
    requirePage("limit", limit);
    return store.page(checked(filter), after, limit);
  }

  /** How many there are, as {@link #count(DeadFilter, long)} of {@link DeadFilter#all}. */
  public long count(long bound) {
    return count(DeadFilter.all(), bound);
  }

  /**
   * How many fit, counting no further than {@code bound}, so that the answer stays cheap.
   *
   * @throws IllegalArgumentException when the bound is below 1
   */
  public long count(DeadFilter filter, long bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("bound is " + bound + ", the least is 1");
    }
    return store.count(checked(filter), bound);
  }

  /**
   * Puts these back with their message ids, in the order of their numbers: at the end of the
   * outbox, or in front of those that wait behind it if it is of a strict topic. Returns how many
   * were there.
   *
   * @throws IllegalArgumentException when there are more than {@value #MAX_PAGE} letters
   */
  public int replay(List<DeadLetter.Id> letters) {
    int replayed = letters.isEmpty() ? 0 : store.replay(checked(letters));
    wakeFor(replayed);
    return replayed;
  }

  /**
   * Puts those back that fit and were there when the call began, in the order of their numbers and
   * each once, also when it dies again meanwhile. It works in portions of a tenth of a second, each
   * a transaction of its own, until all are done or its thread is interrupted; then the interrupt
   * stays set, and a portion that was under way may have been replayed without being counted. What
   * was put back stays so when the store throws.
   *
   * @throws StoreException when the database refuses; the same call goes on with what is left
   */
  public Replayed replay(DeadFilter filter, ReplayPlan plan) {
    return new Replay(store, checked(filter), plan, this::wake).run();
  }

  /**
   * Deletes these for good. Returns how many were there.
   *
   * @throws IllegalArgumentException when there are more than {@value #MAX_PAGE} letters
   */
  public int discard(List<DeadLetter.Id> letters) {
    int discarded = letters.isEmpty() ? 0 : store.discard(checked(letters));
    wakeFor(discarded);
    return discarded;
  }

  /**
   * Deletes those for good that fit and were there when the call began, in portions. Returns how
   * many.
   */
  public long discard(DeadFilter filter) {
    DeadPortions portions = new DeadPortions(store, checked(filter), DeadPortions.LARGEST);
    long discarded = 0;
    for (List<DeadLetter.Id> next = portions.next(); !next.isEmpty(); next = portions.next()) {
      discarded += discard(next);
      portions.passed(next);
    }
    return discarded;
  }

  /**
   * Deletes those that died longer ago than {@code retention}, in batches; never one of a strict
   * topic, which holds its key. Returns how many.
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

  private void wakeFor(int moved) {
    if (moved > 0) {
      wake();
    }
  }

  private void wake() {
    outbox.wakeup().wake(Set.of());
  }

  private static DeadFilter checked(DeadFilter filter) {
    if (filter.topic() != null) {
      Topics.checked(filter.topic());
    }
    return filter;
  }

  private static List<DeadLetter.Id> checked(List<DeadLetter.Id> letters) {
    requirePage("letters", letters.size());
    return List.copyOf(letters);
  }

  private static void requirePage(String name, int size) {
    if (size < 1 || size > MAX_PAGE) {
      throw new IllegalArgumentException(name + " is " + size + ", it must be 1 to " + MAX_PAGE);
    }
  }
}
