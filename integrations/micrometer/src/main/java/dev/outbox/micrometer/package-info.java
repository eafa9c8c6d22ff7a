/**
 * The outbox in Micrometer: what is enqueued, delivered, tried again and dead, what waits in the
 * tables, and how the relays of this process stand.
 *
 * <pre>{@code
 * OutboxMetrics metrics = OutboxMetrics.create(store);
 * metrics.bindTo(registry);
 * Outbox outbox = Outbox.builder(store).observer(metrics).build();
 * Relay relay = Relay.builder(store, publisher.observed(metrics)).listener(metrics).start();
 * metrics.watch(relay);
 * }</pre>
 */
@NullMarked
package dev.outbox.micrometer;

import org.jspecify.annotations.NullMarked;
