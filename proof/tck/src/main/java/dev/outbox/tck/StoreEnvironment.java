package dev.outbox.tck;

import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.lane.Lane;
import java.sql.Connection;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalInt;
import javax.sql.DataSource;

/**
 * An empty store, opened for one case of the contract, with what the case needs around it.
 *
 * <p>Used from several threads at a time, as the store is. What has a default here is what a store
 * without SQL answers.
 */
public interface StoreEnvironment extends AutoCloseable {
  OutboxStore store();

  /** Connections for application transactions, at least 16 at a time. */
  DataSource applications();

  /**
   * Lets time pass for the store: as if all that is in its tables (messages, leases, due times,
   * deaths, completions, relays, dedupe keys) had been written that much earlier, or later when
   * {@code step} is negative. Whole seconds.
   */
  void passTime(Duration step) throws Exception;

  /**
   * Locks the lane's row in its own session, as a relay does that is just claiming it, until
   * closed.
   */
  AutoCloseable lock(Lane lane) throws Exception;

  /** The same store over sessions whose time zone is {@code zone}. */
  default OutboxStore storeIn(ZoneOffset zone) throws Exception {
    return store();
  }

  /** A connection for application transactions whose session's time zone is {@code zone}. */
  default Connection connectionIn(ZoneOffset zone) throws Exception {
    return applications().getConnection();
  }

  /** How many deadlocks the server has reported so far. */
  default long deadlocks() throws Exception {
    return 0;
  }

  /** The lane of a key as the database computes it in SQL. */
  default OptionalInt laneInSql(String key, int lanes) throws Exception {
    return OptionalInt.empty();
  }

  /** Faults at the commits of the store's own sessions, where they can be brought about. */
  default Optional<CommitFaults> commitFaults() {
    return Optional.empty();
  }

  /**
   * Whether the server ends a session of the store that waits in an open transaction, so that what
   * it has locked comes free. Its commits can then be stopped.
   */
  default boolean endsRestingSessions() {
    return false;
  }

  /**
   * Makes {@code next} the id of the next ready message, as when a database was set back. False
   * where that cannot be done, or the store does not show the next id.
   */
  default boolean restartIds(long next) throws Exception {
    return false;
  }

  /** Deletes a ready message, as one that a restored copy does not have. */
  default void remove(long id) throws Exception {
    throw new UnsupportedOperationException("this store's messages cannot be deleted");
  }

  /** Raises ids and epochs above all that were given, as an operator does. */
  default void raiseIds() throws Exception {
    throw new UnsupportedOperationException("this store's ids cannot be raised");
  }

  /** Gives a lane's row an {@code epoch} of before, and no owner, as when it was restored. */
  default void setBack(Lane lane, long epoch) throws Exception {
    throw new UnsupportedOperationException("this store's lanes cannot be set back");
  }

  /** Ends the session of {@code connection} from outside, as when its process was killed. */
  default void kill(Connection connection) throws Exception {
    connection.abort(Runnable::run);
  }

  @Override
  void close();

  /**
   * Faults at commits of the store's own sessions, on every connection but those of {@link
   * #applications}.
   */
  interface CommitFaults {
    /** The next commit takes effect, and then its connection breaks before the reply. */
    void loseNextReply();

    /**
     * The next commit stops before it reaches the server, its transaction open, until the returned
     * stop is closed.
     */
    Stop stopNext();
  }

  /** A commit that stands still. */
  interface Stop extends AutoCloseable {
    /** Waits until a commit has been stopped. */
    void awaitStopped() throws InterruptedException;

    /** Lets it go on to the server. */
    @Override
    void close();
  }
}
