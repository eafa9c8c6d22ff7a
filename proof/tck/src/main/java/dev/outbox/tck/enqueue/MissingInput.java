package dev.outbox.tck.enqueue;

import dev.outbox.message.Message;
import java.util.Arrays;
import java.util.List;

/** The rows of {@link BadInput} in which something is null. */
final class MissingInput {
  private MissingInput() {}

  static List<BadInput> all() {
    return List.of(
        missing(
            "a header source that returns null",
            "a header source returned null",
            given -> given.enqueueWith(() -> nothing())),
        missing(
            "no connection",
            "transaction",
            given -> given.outbox().enqueue(nothing(), Message.to(BadInput.TOPIC).text("x"))),
        missing(
            "no message",
            "message",
            given -> given.outbox().enqueue(given.transaction(), MissingInput.<Message>nothing())),
        missing(
            "no list",
            "messages",
            given ->
                given.outbox().enqueue(given.transaction(), MissingInput.<List<Message>>nothing())),
        missing(
            "a list with a null",
            "message",
            given ->
                given
                    .outbox()
                    .enqueue(
                        given.transaction(),
                        Arrays.asList(Message.to(BadInput.TOPIC).text("good"), nothing()))),
        missing("no topic", "topic", given -> Message.to(nothing())),
        missing(
            "no key value",
            "key is null; leave key(..) out for a message without an order",
            given -> Message.to(BadInput.TOPIC).key(MissingInput.<String>nothing())),
        missing(
            "no header value",
            "header h",
            given -> Message.to(BadInput.TOPIC).header("h", nothing())),
        missing(
            "no table of a reference",
            "reference table",
            given -> Message.to(BadInput.TOPIC).reference(nothing(), 7)),
        missing("no payload", "payload", given -> Message.to(BadInput.TOPIC).payload(nothing())));
  }

  private static BadInput missing(String name, String text, BadInput.Attempt attempt) {
    return new BadInput(name, NullPointerException.class, text, attempt);
  }

  /** What careless code without null checks passes. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return (T) null;
  }
}
