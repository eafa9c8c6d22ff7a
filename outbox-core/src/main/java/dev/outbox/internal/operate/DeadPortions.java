package dev.outbox.internal.operate;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.spi.DeadStore;
import java.util.List;

/**
 * Walks through the dead letters that fit and were there when the walk began.
 *
 * <p>Used by one thread.
 */
public final class DeadPortions {
  /** Few enough that a page of large messages fits into memory. */
  public static final int LARGEST = 100;

  private final DeadStore dead;
  private final Filter filter;
  private final int size;
  private final long highest;
  private long last;

  public DeadPortions(DeadStore dead, Filter filter, int size) {
    this.dead = dead;
    this.filter = filter;
    this.size = size;
    this.highest = dead.last();
  }

  /** The next ones; none at the end. */
  public List<DeadLetter.Id> next() {
    return dead.ids(filter, last, size).stream()
        .filter(letter -> letter.number() <= highest)
        .toList();
  }

  /** These are done, and not met again. */
  public void passed(List<DeadLetter.Id> portion) {
    last = portion.get(portion.size() - 1).number();
  }

  long last() {
    return last;
  }
}
