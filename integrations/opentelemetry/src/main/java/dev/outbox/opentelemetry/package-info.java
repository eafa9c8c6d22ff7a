/**
 * Traces that go through the outbox: from the request that enqueues, over the relay's send, to the
 * consumer.
 *
 * <pre>{@code
 * OutboxTracing tracing = OutboxTracing.create(openTelemetry);
 * Outbox outbox = Outbox.builder(store).observer(tracing).build();
 * Relay relay = Relay.builder(store, publisher.observed(tracing)).start();
 *
 * // where messages are received
 * try (OutboxTracing.Processing processing = tracing.process("orders.placed", headers)) {
 *   handle(message);
 * }
 * }</pre>
 */
@NullMarked
package dev.outbox.opentelemetry;

import org.jspecify.annotations.NullMarked;
