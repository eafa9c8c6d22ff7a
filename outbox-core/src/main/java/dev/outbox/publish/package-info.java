/**
 * What an application gives to a relay: publishers, retry policies, resolvers and listeners.
 *
 * <p>Messages come in as a {@link dev.outbox.publish.Flight} to the {@link
 * dev.outbox.publish.Publisher}, which answers each with an {@link dev.outbox.publish.Ack}; a
 * {@link dev.outbox.publish.Resolver} loads payloads by reference on the way. What failed goes on
 * to the {@link dev.outbox.publish.RetryPolicy}. A {@link dev.outbox.publish.RelayListener} is told
 * of batches, a {@link dev.outbox.publish.SendObserver} of single sends. {@link
 * dev.outbox.publish.BrokerGuarantees} is what a publisher declares of its broker, {@link
 * dev.outbox.publish.CloudEvents} a form for what it sends.
 */
@NullMarked
package dev.outbox.publish;

import org.jspecify.annotations.NullMarked;
