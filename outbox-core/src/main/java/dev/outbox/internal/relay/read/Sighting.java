package dev.outbox.internal.relay.read;

import dev.outbox.internal.relay.base.Ticker;
import java.util.HashSet;
import java.util.Set;

/**
 * The highest id at a moment, and who may still commit a lower one.
 *
 * <p>Used by one thread.
 */
final class Sighting {
  private final long id;
  private final Ticker.Moment when;
  private final Set<String> open;

  Sighting(long id, Set<String> open, Ticker.Moment when) {
    this.id = id;
    this.when = when;
    this.open = new HashSet<>(open);
  }

  long id() {
    return id;
  }

  Ticker.Moment when() {
    return when;
  }

  /** Who of them is among those that are {@code open} now. */
  Set<String> stillOpen(Set<String> open) {
    this.open.retainAll(open);
    return this.open;
  }
}
