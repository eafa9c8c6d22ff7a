package dev.outbox.spi;

import dev.outbox.StoreException;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Messages locked and already deleted in a transaction that is still open. Closing it without
 * {@link #settle} rolls back: everything is as before.
 *
 * <p>Used by one thread.
 */
public interface RowClaim extends AutoCloseable {
  List<StoredEnvelope> messages();

  /** The claim's transaction, in which a transactional publisher writes. */
  Connection transaction();

  /**
   * True when another transaction is in the place of the claim's, which a deadlock or the publisher
   * has ended. Only for databases where the release of a savepoint does not tell.
   */
  default boolean hasEnded() {
    return false;
  }

  /**
   * Whether {@code refusal} says that its connection is lost. By default a state of class 08 does.
   */
  default boolean isLost(SQLException refusal) {
    return String.valueOf(refusal.getSQLState()).startsWith("08");
  }

  /**
   * Writes the fates and commits: parked messages and dead letters are put into their tables,
   * delivered ones stay deleted, and messages without a fate are put back where they were.
   *
   * <p>A commit that the database refuses is {@link StoreException#contended}: it counts as an
   * attempt of a message that a transactional publisher was given alone.
   */
  void settle(List<Fate> fates);

  /** Rolls back unless settled. */
  @Override
  void close();
}
