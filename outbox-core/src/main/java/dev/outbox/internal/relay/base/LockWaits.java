package dev.outbox.internal.relay.base;

/**
 * Whether a call of this turn has waited in vain for rows that other sessions keep locked. The next
 * turn begins with the renewals; a second wait before them might cost leases.
 *
 * <p>Used by one thread.
 */
public final class LockWaits {
  private boolean waited;

  /** A turn begins. */
  public void turn() {
    waited = false;
  }

  /** A call has waited in vain. */
  public void waited() {
    waited = true;
  }

  boolean hasWaited() {
    return waited;
  }
}
