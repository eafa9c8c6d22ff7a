/**
 * Leases, flights and settlements: what a relay owns, hands out and writes.
 *
 * <p>{@link dev.outbox.internal.relay.settle.LeaseKeeper} leases the lanes, {@link
 * dev.outbox.internal.relay.settle.Flights} hands their messages to the publisher and takes the
 * answers, {@link dev.outbox.internal.relay.settle.Settling} writes what became of them.
 */
package dev.outbox.internal.relay.settle;
