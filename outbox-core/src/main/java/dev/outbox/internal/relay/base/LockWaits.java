package dev.outbox.internal.relay.base;

import java.time.Duration;

/**
 * Whether calls of this turn and of the one before have waited in vain for rows that other sessions
 * keep locked. Renewals are made between two waits: otherwise they would be late. Between two turns
 * that waited there is one in which other steps may wait.
 *
 * <p>Used by one thread.
 */
public final class LockWaits {
  private static final Duration LONG = Duration.ofSeconds(1);

  private boolean waited;
  private boolean before;
  private boolean givesWay;

  /** A turn begins. */
  public void turn() {
    before = waited;
    givesWay = waited && !givesWay;
    waited = false;
  }

  /** A call has waited in vain for so long. */
  public void waited(Duration time) {
    waited |= time.compareTo(LONG) >= 0;
  }

  /** True when a call of the turn before has waited. */
  public boolean hadWaited() {
    return before;
  }

  /** True when a call of this turn or of the one before has waited. */
  public boolean areRecent() {
    return waited || before;
  }

  /** True when this turn leaves the waits to other steps: after a wait, but not twice in a row. */
  public boolean givesWay() {
    return givesWay;
  }

  /** True when a call of this turn has waited. */
  public boolean hasWaited() {
    return waited;
  }
}
