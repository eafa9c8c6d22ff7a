/**
 * The messages of one read on their way to their fates.
 *
 * <p>What was read is a {@link dev.outbox.internal.relay.batch.Batch}. It takes flights by {@link
 * dev.outbox.internal.relay.batch.FlightTerms}, asks the gates and the publisher through {@link
 * dev.outbox.internal.relay.batch.DeliveryRules}, and leaves what an answer means to the table of
 * {@link dev.outbox.internal.relay.batch.SettleDecision}. {@link
 * dev.outbox.internal.relay.batch.BrokenOrder} knows which messages may not be overtaken.
 */
package dev.outbox.internal.relay.batch;
