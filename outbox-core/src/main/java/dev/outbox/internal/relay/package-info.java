/**
 * The engine: one loop that owns all state, and the stages it goes through in turn.
 *
 * <p>{@link dev.outbox.internal.relay.RelayEngine} starts it. {@link
 * dev.outbox.internal.relay.LaneWorker} and {@link dev.outbox.internal.relay.RowWorker} say what
 * happens in what order. Below them stand the stages {@code cluster}, {@code settle} and {@code
 * read}, then the {@code lane}, then the {@code batch}, then {@code flight} and {@code topic}, and
 * {@code base} at the bottom; each knows only those below it.
 */
package dev.outbox.internal.relay;
