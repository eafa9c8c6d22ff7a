package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.Lane;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.store.Outgoing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Messages for the contract's cases. */
final class Sample {
  static final String TOPIC = "orders.placed";

  private Sample() {}

  /** A message in lane 0 with this key and text. */
  static Outgoing keyed(String key, String text) {
    return message(StoreCases.LANE, key, text);
  }

  /** A message without a key in lane 0. */
  static Outgoing unkeyed(String text) {
    return message(StoreCases.LANE, null, text);
  }

  /** A message of this topic in lane 0. */
  static Outgoing of(String topic, @Nullable String key, String text) {
    return ready(StoreCases.LANE, envelope(topic, key, text));
  }

  static Outgoing message(Lane lane, @Nullable String key, String text) {
    return ready(lane, envelope(TOPIC, key, text));
  }

  /** Messages in lane 0 with one key, their texts numbered from 0. */
  static List<Outgoing> numbered(String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> keyed(key, key + " " + i)).toList();
  }

  static List<String> numbers(String key, int count) {
    return IntStream.range(0, count).mapToObj(i -> key + " " + i).toList();
  }

  static Outgoing ready(Lane lane, Envelope envelope) {
    return new Outgoing(lane, envelope, null);
  }

  static Outgoing after(Duration delay, String text) {
    return new Outgoing(StoreCases.LANE, envelope(TOPIC, "k", text), new Message.Due.After(delay));
  }

  static Outgoing at(Instant instant, String text) {
    return new Outgoing(StoreCases.LANE, envelope(TOPIC, "k", text), new Message.Due.At(instant));
  }

  static Envelope envelope(String topic, @Nullable String key, String text) {
    return envelope(topic, key, Map.of(), text(text));
  }

  static Envelope envelope(
      String topic, @Nullable String key, Map<String, String> headers, Payload payload) {
    return new Envelope(
        MessageId.next(), topic, key == null ? null : new Key(key), headers, payload, null);
  }

  static Envelope expiring(String text, Instant notAfter) {
    Key key = new Key("k");
    return new Envelope(MessageId.next(), TOPIC, key, Map.of(), text(text), notAfter);
  }

  /** A message with a payload of so many bytes. */
  static Outgoing sized(Lane lane, @Nullable String key, int bytes) {
    Payload payload = new Payload("application/octet-stream", new byte[bytes]);
    return ready(lane, envelope(TOPIC, key, Map.of(), payload));
  }

  static Payload text(String text) {
    return new Payload("text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  /** An envelope with something unusual in each of its parts. */
  static Envelope rich(Instant notAfter) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    headers.put("leer", "");
    headers.put("\uD83D\uDE80 name", "value \uD834\uDD1E \"quoted\" \\ and\nmore");
    headers.put("a", "last, though first in the alphabet");
    byte[] bytes = new byte[256];
    IntStream.range(0, 256).forEach(value -> bytes[value] = (byte) value);
    Payload payload = new Payload("application/vnd.\uD83D\uDE80", bytes);
    Key key = new Key("Kлюч '\uD834\uDD1E");
    return new Envelope(MessageId.next(), "topic \uD83D\uDE80", key, headers, payload, notAfter);
  }

  /** A message whose payload stands in a row of the application's own. */
  static Envelope reference(@Nullable String key, String table, String id) {
    return new Envelope(
        MessageId.next(),
        TOPIC,
        key == null ? null : new Key(key),
        Map.of("tenant", "acme"),
        Reference.UNRESOLVED,
        null,
        new Reference(table, id));
  }

  /** Compares all parts, the order of the headers and the payload's bytes included. */
  static void assertSame(Envelope actual, Envelope expected) {
    assertThat(actual.id()).isEqualTo(expected.id());
    assertThat(actual.topic()).isEqualTo(expected.topic());
    assertThat(actual.key()).isEqualTo(expected.key());
    assertThat(new ArrayList<>(actual.headers().entrySet()))
        .isEqualTo(new ArrayList<>(expected.headers().entrySet()));
    assertThat(actual.payload().contentType()).isEqualTo(expected.payload().contentType());
    assertThat(actual.payload().bytes()).isEqualTo(expected.payload().bytes());
    assertThat(actual.notAfter()).isEqualTo(expected.notAfter());
    assertThat(actual.reference()).isEqualTo(expected.reference());
  }
}
