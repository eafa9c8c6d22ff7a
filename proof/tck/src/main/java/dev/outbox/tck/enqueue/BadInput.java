package dev.outbox.tck.enqueue;

import dev.outbox.Outbox;
import dev.outbox.message.Message;
import dev.outbox.message.MessageLimits;
import dev.outbox.spi.OutboxStore;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One thing that the outbox refuses: the exception and its text, in which … stands for what varies.
 * The table of the documentation has these rows.
 *
 * <p>Immutable.
 */
record BadInput(String name, Class<? extends Exception> exception, String text, Attempt attempt) {
  static final String TOPIC = "orders.placed";

  /** A refused call. */
  interface Attempt {
    void on(Given given) throws Exception;
  }

  /** What an attempt works with. */
  record Given(OutboxStore store, Outbox outbox, Connection transaction) {
    void enqueue(Message message) {
      outbox.enqueue(transaction, message);
    }

    void enqueueWithin(MessageLimits limits) {
      Outbox.builder(store)
          .limits(limits)
          .build()
          .enqueue(transaction, List.of(Message.to("good").text("x"), Message.to(TOPIC).text("x")));
    }

    void enqueueWith(Supplier<Map<String, String>> headers) {
      Outbox.builder(store)
          .headers(headers)
          .build()
          .enqueue(transaction, Message.to(TOPIC).text("x"));
    }
  }

  boolean matches(String message) {
    String pattern =
        Arrays.stream(text.split("…", -1))
            .map(Pattern::quote)
            .reduce((a, b) -> a + ".*" + b)
            .orElse("");
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(message).matches();
  }

  /** Every row of the documentation's table, in its order. */
  static List<BadInput> all() {
    return Stream.of(connections(), messages(), overRows()).flatMap(List::stream).toList();
  }

  static List<BadInput> connections() {
    return List.of(AUTOCOMMIT, CLOSED, READ_ONLY, OTHER_PRODUCT);
  }

  private static final Attempt PLAIN = given -> given.enqueue(Message.to(TOPIC).text("x"));

  static final BadInput AUTOCOMMIT =
      refused(
          "an autocommit connection",
          "transaction is an autocommit connection, which would commit the message without your business data;"
              + " call setAutoCommit(false), write both, then commit",
          PLAIN);

  static final BadInput CLOSED =
      refused(
          "a closed connection",
          "transaction is a closed connection; enqueue before it is closed",
          PLAIN);

  static final BadInput READ_ONLY =
      refused("a read-only connection", "the connection is read-only…", PLAIN);

  static final BadInput OTHER_PRODUCT =
      refused(
          "a connection of another database product",
          "the connection is of …; use one … for both",
          PLAIN);

  static List<BadInput> overRows() {
    return List.of(
        refused(
            "a key where the tables are claimed by rows",
            "key is 'k', but these tables are claimed by rows, which keeps no order; leave the key out or use tables made for lanes",
            given -> given.enqueue(Message.to(TOPIC).key("k").text("x"))));
  }

  private static final String EMPTY = " is empty; give it a value of 1 to 255 characters";
  private static final String LONG = " has 256 characters, the limit is 255: …";
  private static final String NUL =
      " has a NUL character at index 1, which no column can hold: 'a\\0b'";
  private static final String HALF =
      " has half a surrogate pair (U+D800) at index 1, which has no UTF-8 form";

  static List<BadInput> messages() {
    return Stream.of(unfit(), MissingInput.all()).flatMap(List::stream).toList();
  }

  private static List<BadInput> unfit() {
    String longText = "t".repeat(256);
    return List.of(
        refused("an empty topic", "topic" + EMPTY, given -> Message.to("")),
        refused(
            "a topic of blanks",
            "topic has blanks only; give it a name of 1 to 255 characters: ' '",
            given -> Message.to(" ")),
        refused("a topic of 256 characters", "topic" + LONG, given -> Message.to(longText)),
        refused("a topic with NUL", "topic" + NUL, given -> Message.to("a\0b")),
        refused(
            "a topic with a line break",
            "topic has a control character (U+000A) at index 1, which would break the lines of logs; leave it out: 'a b'",
            given -> Message.to("a\nb")),
        refused(
            "a topic with half a surrogate pair", "topic" + HALF, given -> Message.to("a\ud800b")),
        refused("an empty key", "key" + EMPTY, given -> Message.to(TOPIC).key("")),
        refused("a key of 256 characters", "key" + LONG, given -> Message.to(TOPIC).key(longText)),
        refused("a key with NUL", "key" + NUL, given -> Message.to(TOPIC).key("a\0b")),
        refused(
            "a key with half a surrogate pair",
            "key" + HALF,
            given -> Message.to(TOPIC).key("a\ud800b")),
        refused(
            "an empty dedupe key", "dedupeKey" + EMPTY, given -> Message.to(TOPIC).dedupeKey("")),
        refused(
            "a dedupe key of 256 characters",
            "dedupeKey" + LONG,
            given -> Message.to(TOPIC).dedupeKey(longText)),
        refused(
            "a dedupe key with NUL",
            "dedupeKey" + NUL,
            given -> Message.to(TOPIC).dedupeKey("a\0b")),
        refused(
            "a dedupe key with half a surrogate pair",
            "dedupeKey" + HALF,
            given -> Message.to(TOPIC).dedupeKey("a\ud800b")),
        refused(
            "an empty header name",
            "header name" + EMPTY,
            given -> Message.to(TOPIC).header("", "v")),
        refused(
            "a header name of 256 characters",
            "header name" + LONG,
            given -> Message.to(TOPIC).header(longText, "v")),
        refused(
            "a header name with NUL",
            "header name" + NUL,
            given -> Message.to(TOPIC).header("a\0b", "v")),
        refused(
            "a header value with NUL",
            "header h" + NUL,
            given -> Message.to(TOPIC).header("h", "a\0b")),
        refused(
            "a header value with half a surrogate pair",
            "header h" + HALF,
            given -> Message.to(TOPIC).header("h", "a\ud800b")),
        refused(
            "a header given twice",
            "header h is given twice",
            given -> Message.to(TOPIC).header("h", "1").header("h", "2")),
        refused(
            "headers above the limit",
            "headers of topic orders.placed has 8193 bytes, the limit is 8192; raise Outbox.builder(store).maxHeaders(bytes)",
            given -> given.enqueue(Message.to(TOPIC).header("h", "v".repeat(8192)).text("x"))),
        refused(
            "a payload above the limit",
            "payload of topic orders.placed has 1048577 bytes, the limit is 1048576; raise Outbox.builder(store).maxPayload(bytes), or store a reference",
            given -> given.enqueue(Message.to(TOPIC).bytes(new byte[1024 * 1024 + 1]))),
        refused(
            "an empty content type",
            "content type" + EMPTY,
            given -> Message.to(TOPIC).bytes(new byte[0], "")),
        refused(
            "a text with half a surrogate pair",
            "text has half a surrogate pair, which has no UTF-8 form",
            given -> Message.to(TOPIC).text("a\ud800b")),
        refused(
            "a reference to a table that is no identifier",
            "reference table is 'mails; DROP TABLE mails', it must be an identifier of letters, digits and underscores,"
                + " with at most one schema and a dot before it",
            given -> Message.to(TOPIC).reference("mails; DROP TABLE mails", 7)),
        refused(
            "a reference to a table of 129 characters",
            "reference table has 129 characters, the limit is 128: …",
            given -> Message.to(TOPIC).reference("t".repeat(129), 7)),
        refused(
            "an empty id of a reference",
            "reference id" + EMPTY,
            given -> Message.to(TOPIC).reference("mails", "")),
        refused(
            "an id of a reference of 256 characters",
            "reference id" + LONG,
            given -> Message.to(TOPIC).reference("mails", longText)),
        refused(
            "an id of a reference with NUL",
            "reference id" + NUL,
            given -> Message.to(TOPIC).reference("mails", "a\0b")),
        refused(
            "a payload that Jackson cannot write",
            "payload of type … cannot be written as JSON: …",
            given -> given.enqueue(Message.to(TOPIC).payload(new Unwritable()))),
        refused(
            "a String as the payload object",
            "payload is a String; use json(text) for JSON, text(text) for plain text, or bytes(..) for bytes",
            given -> Message.to(TOPIC).payload("{\"id\":7}")),
        refused(
            "a json text that is not JSON",
            "json is not JSON from line 1, column … on; use text(text) for plain text",
            given -> Message.to(TOPIC).json("placed")),
        refused(
            "a negative delay",
            "deliverAfter is PT-1S, the minimum is zero",
            given -> Message.to(TOPIC).deliverAfter(Duration.ofSeconds(-1))),
        refused(
            "a delay of more than ten years",
            "deliverAfter is PT87624H, the limit is 3650 days",
            given -> Message.to(TOPIC).deliverAfter(Duration.ofDays(3651))),
        refused(
            "an instant that no column holds",
            "deliverAt is 1969-12-31T00:00:00Z, it must lie between …",
            given -> Message.to(TOPIC).deliverAt(Instant.parse("1969-12-31T00:00:00Z"))),
        refused(
            "an end that no column holds",
            "notAfter is 1969-12-31T00:00:00Z, it must lie between …",
            given -> Message.to(TOPIC).notAfter(Instant.parse("1969-12-31T00:00:00Z"))),
        refused(
            "a delay that goes beyond the end",
            "deliverAfter is PT1H, but notAfter is …: the message would expire before it falls due",
            given ->
                given.enqueue(
                    Message.to(TOPIC)
                        .deliverAfter(Duration.ofHours(1))
                        .notAfter(Instant.now().plusSeconds(60))
                        .text("x"))),
        refused(
            "an instant after the end",
            "deliverAt is 2100-01-02T00:00:00Z, but notAfter is 2100-01-01T00:00:00Z: the message would expire before it falls due",
            given ->
                given.enqueue(
                    Message.to(TOPIC)
                        .deliverAt(Instant.parse("2100-01-02T00:00:00Z"))
                        .notAfter(Instant.parse("2100-01-01T00:00:00Z"))
                        .text("x"))),
        refused(
            "a bad message in a list of good ones",
            "payload of topic orders.placed has 1048577 bytes, the limit is 1048576; raise Outbox.builder(store).maxPayload(bytes), or store a reference",
            given ->
                given.outbox.enqueue(
                    given.transaction,
                    List.of(
                        Message.to(TOPIC).text("good"),
                        Message.to(TOPIC).deliverAfter(Duration.ofHours(1)).text("good"),
                        Message.to(TOPIC).bytes(new byte[1024 * 1024 + 1])))),
        refused(
            "a message beyond the limits of the broker",
            "topic is 'orders.placed', the broker takes no dots; name it orders-placed",
            given ->
                given.enqueueWithin(
                    envelope ->
                        envelope.topic().contains(".")
                            ? "topic is '%s', the broker takes no dots; name it orders-placed"
                                .formatted(envelope.topic())
                            : null)),
        new BadInput(
            "a header source that throws",
            IllegalStateException.class,
            "no tenant",
            given ->
                given.enqueueWith(
                    () -> {
                      throw new IllegalStateException("no tenant");
                    })),
        refused(
            "a bad header of a source",
            "header tenant" + NUL,
            given -> given.enqueueWith(() -> Map.of("tenant", "a\0b"))));
  }

  private static BadInput refused(String name, String text, Attempt attempt) {
    return new BadInput(name, IllegalArgumentException.class, text, attempt);
  }

  /** It contains itself. */
  static final class Unwritable {
    public Unwritable getSelf() {
      return this;
    }
  }
}
