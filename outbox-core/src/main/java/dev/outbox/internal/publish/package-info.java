/**
 * The publishers that {@link dev.outbox.publish.Publisher} makes, and the parts of a flight they
 * see.
 */
package dev.outbox.internal.publish;
