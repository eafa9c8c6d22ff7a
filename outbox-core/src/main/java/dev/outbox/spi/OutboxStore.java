package dev.outbox.spi;

import dev.outbox.OutboxException.Finding;
import dev.outbox.Snapshot;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.settle.NewEnvelope;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The port to a database: all that the outbox and the relay ask of it.
 *
 * <p>Safe for use by many threads. Implementations are proven by the store contract of outbox-tck.
 */
public interface OutboxStore {
  /** How the tables are laid out; fixed for the life of this store. */
  Layout layout();

  /**
   * Writes the messages in the caller's transaction, in the order of the list: those that are due
   * at once to the ready table, the others to the delayed one. Never commits, rolls back, closes or
   * changes a setting of the connection, and never repeats a failed statement.
   *
   * @throws IllegalArgumentException when the connection is closed, read-only, or of another
   *     database product
   */
  void append(Connection transaction, List<NewEnvelope> messages);

  /** The keys of messages that are enqueued once. */
  DedupeStore dedupe();

  /** The database's clock. */
  Instant now();

  /**
   * A session for claims by lanes; {@code owner} is the relay's unique name, {@code lease} the
   * length of its leases.
   */
  LaneStore lanes(String owner, Duration lease);

  /** A session for claims by rows; its server-side limits lie above {@code longestClaim}. */
  RowStore rows(Duration longestClaim);

  RelayRegistry registry();

  DeadStore deadLetters();

  /** What is set per topic at run time. */
  TopicStore topics();

  /** Single messages, wherever they are. */
  MessageStore messages();

  /** What is in the tables, counting no further than {@code bound} in each. */
  Snapshot snapshot(long bound);

  /** True when delivered messages are kept in an archive. */
  boolean archives();

  /**
   * Deletes at most {@code atMost} archived messages completed longer ago than {@code retention},
   * the oldest first, but none that were completed before {@code from}: where the last call ended,
   * so that this one need not search through what that one deleted, or {@link Instant#EPOCH}.
   */
  Purged purgeArchive(Duration retention, Instant from, int atMost);

  /** The other clusters. */
  ClusterStore clusters();

  /** Notifies relays of this process that something was committed. */
  Wakeup wakeup();

  /** Looks for what would break or slow the work of {@code usage}, worst first. Changes nothing. */
  List<Finding> examine(Usage usage);
}
