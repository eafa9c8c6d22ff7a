/**
 * A publisher to HTTP endpoints. {@link dev.outbox.http.HttpPublisher} is the door; {@code
 * docs/brokers/http.md} says how a message becomes a request.
 */
@NullMarked
package dev.outbox.http;

import org.jspecify.annotations.NullMarked;
