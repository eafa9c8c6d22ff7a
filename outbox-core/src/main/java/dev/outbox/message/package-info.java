/**
 * Messages, envelopes, their keys, ids and payload codecs.
 *
 * <p>All that a {@link dev.outbox.message.Message} can have:
 *
 * <pre>{@code
 * Message.Draft draft =
 *     Message.to("orders.placed")
 *         .key("customer 42") // or a long, or a UUID: these stay in order
 *         .header("tenant", "acme")
 *         .headers(Map.of("trace", "4bf9"))
 *         .deliverAfter(Duration.ofMinutes(10)) // or deliverAt(instant)
 *         .notAfter(Instant.now().plus(Duration.ofDays(1)))
 *         .dedupeKey("order 42"); // enqueued once
 * Message message = draft.payload(order); // by the outbox's codec
 *
 * Message json = Message.to("orders").deliverAt(monday).json("{\"id\":42}");
 * Message text = Message.to("mails").text("hello");
 * Message bytes = Message.to("images").bytes(content, "image/png");
 * Message reference = Message.to("orders").reference("orders", 42); // loaded by the relay
 *
 * System.out.println(message.topic() + " " + message.key() + " " + message.headers());
 * System.out.println(message.due() + " " + message.notAfter() + " " + message.dedupeKey());
 * System.out.println(json.payload(JacksonCodec.create()) + " " + reference.reference());
 * }</pre>
 */
@NullMarked
package dev.outbox.message;

import org.jspecify.annotations.NullMarked;
