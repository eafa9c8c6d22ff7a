package dev.outbox.spi;

import dev.outbox.StoreException;
import dev.outbox.Topics.Setting;
import java.util.Map;
import java.util.Set;

/**
 * Claims by rows, for one worker, over its own connection.
 *
 * <p>Used by one thread. Every method may throw {@link StoreException}.
 */
public interface RowStore extends AutoCloseable {
  /**
   * Begins a transaction, locks up to {@code atMost} ready messages in id order, skipping those
   * that others have locked and those of {@code heldTopics}, and deletes them in it. The claim is
   * empty when there are none.
   */
  RowClaim claim(int atMost, Set<String> heldTopics);

  /** As {@link #claim(int, Set)}, of all topics. */
  default RowClaim claim(int atMost) {
    return claim(atMost, Set.of());
  }

  /**
   * As {@link #claim}, of parked messages that are due by the database's clock, but none of {@code
   * heldTopics}; those that were due first come first.
   */
  RowClaim claimDue(int atMost, Set<String> heldTopics);

  /** As {@link LaneStore#release}, skipping locked rows. */
  int release(Set<String> heldTopics, int atMost);

  /** What is set per topic. */
  Map<String, Setting> topics();

  /** As {@link LaneStore#registry}; only between claims. */
  RelayRegistry registry();

  /** As {@link LaneStore#abort}. */
  void abort();

  /**
   * Appends delayed messages that have fallen due to the ready table, skipping locked ones. Returns
   * how many.
   */
  int promoteDue(int atMost);

  /** Returns the connection; a claim that is still open is rolled back. */
  @Override
  void close();
}
