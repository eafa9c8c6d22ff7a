/**
 * Messages on their way through the publisher.
 *
 * <p>A flight comes in from {@code settle}, as a {@link
 * dev.outbox.internal.relay.flight.PublishTask}; its answers wait in the {@link
 * dev.outbox.internal.relay.flight.OpenFlight} until the loop takes them.
 */
package dev.outbox.internal.relay.flight;
