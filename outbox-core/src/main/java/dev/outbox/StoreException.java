package dev.outbox;

import dev.outbox.internal.text.ShortText;
import org.jspecify.annotations.Nullable;

/**
 * The database refused or did not answer.
 *
 * <p>{@link #isTransient} says whether the same call may succeed later. Every call of the store's
 * ports can be repeated without harm, whether or not it took effect.
 *
 * <pre>{@code
 * try {
 *   outbox.enqueue(connection, message);
 * } catch (StoreException e) {
 *   if (e.isTransient() || e.isSlow()) {
 *     tryAgainLater(e);
 *   } else if (e.isClosed() || e.isOfItsRows()) {
 *     giveUp(e);
 *   }
 * }
 *
 * // your own store tells the relay what a failure means
 * List<StoreException> all =
 *     List.of(
 *         StoreException.passing("no connection", cause),
 *         StoreException.slow("the statement took too long", cause),
 *         StoreException.contended("a lock was not given in time", cause),
 *         StoreException.lasting("the table is not there", cause),
 *         StoreException.closed("the pool is closed", cause));
 * }</pre>
 */
public final class StoreException extends OutboxException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  private enum Kind {
    PASSING,
    SLOW,
    CONTENDED,
    LASTING,
    CLOSED
  }

  private StoreException(String message, @Nullable Throwable cause, Kind kind) {
    super(ShortText.oneLine(message), cause); // drivers speak in several
    this.kind = kind;
  }

  /** A fault that may pass by itself: a lost connection, a full pool, a time-out. */
  public static StoreException passing(String message, @Nullable Throwable cause) {
    return new StoreException(message, cause, Kind.PASSING);
  }

  /**
   * A call that the database gave up because it took too long: passing, and on a connection that
   * lives on.
   */
  public static StoreException slow(String message, @Nullable Throwable cause) {
    return new StoreException(message, cause, Kind.SLOW);
  }

  /**
   * A fault that does not pass by itself: a missing table, a missing grant, a statement that the
   * server refuses.
   */
  public static StoreException lasting(String message, @Nullable Throwable cause) {
    return new StoreException(message, cause, Kind.LASTING);
  }

  /**
   * Rows that others hold locked, for longer than the call could wait: passing, and of these rows
   * only.
   */
  public static StoreException contended(String message, @Nullable Throwable cause) {
    return new StoreException(message, cause, Kind.CONTENDED);
  }

  /** The store's connection pool was closed: no call will succeed any more. */
  public static StoreException closed(String message, @Nullable Throwable cause) {
    return new StoreException(message, cause, Kind.CLOSED);
  }

  /** True when the store's connection pool was closed, so that there is nothing to wait for. */
  public boolean isClosed() {
    return kind == Kind.CLOSED;
  }

  /** True when the fault lies with the rows of this call; calls for other rows may succeed. */
  public boolean isOfItsRows() {
    return kind == Kind.CONTENDED || kind == Kind.LASTING;
  }

  /** True when the database gave the call up because it took too long; its tables are as before. */
  public boolean isSlow() {
    return kind == Kind.SLOW;
  }

  /** True when the same call may succeed later. */
  public boolean isTransient() {
    return kind != Kind.LASTING && kind != Kind.CLOSED;
  }
}
