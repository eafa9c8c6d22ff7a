package dev.outbox.internal.operate;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.spi.DeadStore;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * One discard by filter, in portions by number.
 *
 * <p>Used by one thread.
 */
public final class Discard {
  private final DeadPortions portions;
  private final DeadStore dead;
  private final Runnable wake;

  public Discard(DeadStore dead, Filter filter, Runnable wake) {
    this.dead = dead;
    this.wake = wake;
    this.portions = new DeadPortions(dead, filter, DeadPortions.LARGEST);
  }

  /** Returns how many it deleted; it ends when {@code goOn} says so of those until then. */
  public long run(LongPredicate goOn) {
    long discarded = 0;
    List<DeadLetter.Id> portion = portions.next();
    while (!portion.isEmpty()) {
      discarded += dead.discard(portion);
      wake.run();
      portions.passed(portion);
      portion = goOn.test(discarded) ? portions.next() : List.of();
    }
    return discarded;
  }
}
