/**
 * What operators see and change: dead letters, topics, relays, snapshots.
 *
 * <p>The store comes in by {@link dev.outbox.jdbc.internal.operate.DeadLetterTable}, {@link
 * dev.outbox.jdbc.internal.operate.MessageTables}, {@link
 * dev.outbox.jdbc.internal.operate.TopicTable}, {@link dev.outbox.jdbc.internal.operate.RelayTable}
 * and {@link dev.outbox.jdbc.internal.operate.StoreQueries}, which counts by {@link
 * dev.outbox.jdbc.internal.operate.Snapshots}; they borrow a connection for each call. A relay asks
 * topics and relays over its own. Replays and discards go on by {@link
 * dev.outbox.jdbc.internal.operate.DeadMoves} to {@code moves}.
 */
package dev.outbox.jdbc.internal.operate;
