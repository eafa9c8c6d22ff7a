package dev.outbox.store;

import org.jspecify.annotations.Nullable;

/**
 * The database refused or did not answer.
 *
 * <p>{@link #isTransient} tells whether the same call may succeed later. Every call of the store's
 * ports can be repeated without harm, whether or not it took effect.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean passing;

  private StoreException(String message, @Nullable Throwable cause, boolean passing) {
    super(message, cause);
    this.passing = passing;
  }

  /** A fault that time may heal: a lost connection, a full pool, a deadlock, a time-out. */
  public static StoreException passing(String message, @Nullable Throwable cause) {
    return new StoreException(message, cause, true);
  }

  /**
   * A fault that will not heal by itself: a missing table, a missing grant, a statement that the
   * server refuses.
   */
  public static StoreException lasting(String message, @Nullable Throwable cause) {
    return new StoreException(message, cause, false);
  }

  /** True when time may heal it. */
  public boolean isTransient() {
    return passing;
  }
}
