package dev.outbox.benchmarks.contender;

import java.sql.SQLException;

/**
 * A contender over its tables, with its connections.
 *
 * <p>Safe for use by many threads; {@link Writer}s are not.
 */
public interface Installation extends AutoCloseable {
  /** Writes and commits messages {@code from} to {@code from + count - 1}, many at a time. */
  void fill(long from, int count) throws Exception;

  /** A way for one thread to write one message a transaction. */
  Writer writer() throws Exception;

  /** Starts to move what is committed to {@code sink}. */
  Movement start(Tuning tuning, Sink sink) throws Exception;

  /**
   * Writes message {@code number} in a transaction that stays open; closing commits it.
   *
   * @throws UnsupportedOperationException when this contender would lose it
   */
  default Held hold(long number) throws SQLException {
    throw new UnsupportedOperationException("it does not wait for open transactions");
  }

  /** How many messages are in the tables and are not yet delivered. */
  long waiting() throws Exception;

  /** Closes its connections; the tables stay. */
  @Override
  void close() throws SQLException;

  /** Running relays; closing them returns when what is in flight has landed and is settled. */
  @FunctionalInterface
  interface Movement extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  /** An open transaction with a message; closing commits it. */
  @FunctionalInterface
  interface Held extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  /** Writes one message in one transaction, after a business row. Used by one thread. */
  interface Writer extends AutoCloseable {
    /**
     * Begins, writes the business row and the message, commits, and wakes who is to be woken.
     * Returns when the commit returned, in {@link System#nanoTime}.
     */
    long write(long number) throws Exception;

    @Override
    void close() throws SQLException;
  }
}
