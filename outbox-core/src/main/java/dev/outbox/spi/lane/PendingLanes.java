package dev.outbox.spi.lane;

import java.util.Set;

/**
 * What one look found: lanes with ready messages, with parked ones that are due, with delayed ones
 * that are due, and how many lanes have no owner.
 *
 * <p>Immutable.
 */
public record PendingLanes(Set<Lane> ready, Set<Lane> due, Set<Lane> delayed, int freeLanes) {
  public PendingLanes {
    ready = Set.copyOf(ready);
    due = Set.copyOf(due);
    delayed = Set.copyOf(delayed);
  }
}
