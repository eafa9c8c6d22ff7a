/**
 * How a message is written in the caller's transaction, and who is woken when it commits.
 *
 * <p>{@code Outbox} comes in by {@link dev.outbox.internal.enqueue.MessageWriter}, after {@link
 * dev.outbox.internal.enqueue.CallerTransaction} has looked at the connection. {@link
 * dev.outbox.internal.enqueue.Envelopes} encodes a message and finds its lane; from there it goes
 * on to the store, behind its dedupe key. What was written, the {@link
 * dev.outbox.internal.enqueue.MessageWriter.Result}, goes to {@link
 * dev.outbox.internal.enqueue.CommitWakeups}, which wakes relays after the commit. {@link
 * dev.outbox.internal.enqueue.JdbcTransaction} is one that {@code Transactions} begins itself.
 */
package dev.outbox.internal.enqueue;
