/**
 * What is read next.
 *
 * <p>{@link dev.outbox.internal.relay.read.WorkFinder} finds the lanes that have work, {@link
 * dev.outbox.internal.relay.read.DueReading} and {@link
 * dev.outbox.internal.relay.read.ReadyReading} read them. What is read goes on to the lane.
 */
package dev.outbox.internal.relay.read;
