/**
 * The payloads that are in rows of the application, loaded on the way to a publisher.
 *
 * <p>A flight comes in from the relay or a decorator, and goes on to the publisher behind it.
 */
package dev.outbox.internal.publish.resolve;
