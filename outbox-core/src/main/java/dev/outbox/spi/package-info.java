/**
 * What a database plugs in: the store, its claims, leases and settlements, and wake-ups.
 *
 * <p>An outbox and a relay come in by {@link dev.outbox.spi.OutboxStore}. It appends messages in
 * the caller's transaction, and gives a relay a {@link dev.outbox.spi.LaneStore}, or each worker a
 * {@link dev.outbox.spi.RowStore}, by which messages are read and their ends written, in the words
 * of {@code lane} and {@code settle}. Operators come in by its {@link dev.outbox.spi.DeadStore},
 * {@link dev.outbox.spi.TopicStore} and {@link dev.outbox.spi.MessageStore}, consumers by a {@link
 * dev.outbox.spi.ReceiptStore}. A {@link dev.outbox.spi.Wakeup} tells relays that there is
 * something to read.
 */
@Experimental
@NullMarked
package dev.outbox.spi;

import dev.outbox.Experimental;
import org.jspecify.annotations.NullMarked;
