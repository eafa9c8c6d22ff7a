package dev.outbox.spi.lane;

import java.time.Duration;
import java.util.Set;

/**
 * Who may still commit a message whose id was taken in the past: the answer to whether a lower id
 * than those already seen can turn up.
 *
 * <p>Immutable.
 */
public sealed interface OpenTransactions {
  /**
   * Every id taken longer than {@code lag} before the question belongs to one of {@code open}, or
   * to a transaction that has ended and is visible. A name stands for one transaction and is not
   * used again soon.
   */
  record Known(Set<String> open, Duration lag) implements OpenTransactions {
    public Known {
      open = Set.copyOf(open);
    }
  }

  /** The database does not show it, or not to this user: only time makes an id safe. */
  record Unknown() implements OpenTransactions {}
}
