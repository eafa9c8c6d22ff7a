package dev.outbox.testkit.contract;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message that is allowed and unusual, so that careless publishers change or lose it. */
public enum AwkwardMessage {
  /** No bytes at all. */
  EMPTY_PAYLOAD,
  /** 1 MiB, the most that an outbox takes by default. */
  LARGE_PAYLOAD,
  /** Every byte, among them NUL and what is no UTF-8. */
  BINARY_PAYLOAD,
  /** A payload with letters, signs and an emoji in UTF-8. */
  UNICODE_PAYLOAD,
  /** No key. */
  NO_KEY,
  /** A key with spaces around and within it. */
  SPACES_IN_KEY,
  /** A key of other letters and an emoji. */
  UNICODE_KEY,
  /** A key of 255 characters. */
  LONG_KEY,
  /** A key with a slash, a percent sign, a plus, a quote and a line break. */
  SIGNS_IN_KEY,
  /** No header. */
  NO_HEADERS,
  /** A header without a value. */
  EMPTY_HEADER,
  /** Header values of other letters and an emoji. */
  UNICODE_HEADER,
  /** Header values with a line break, a colon, a comma and quotes. */
  SIGNS_IN_HEADER,
  /** Two headers whose names differ in case only. */
  HEADERS_ALIKE,
  /** 50 headers. */
  MANY_HEADERS,
  /** A header of 4 KiB. */
  LONG_HEADER;

  private static final String LETTERS = "é ß 木 Ж 🎈";
  private static final String SIGNS = "a/b%20c+d\"e'f\r\ng:h,i;j\\k";

  Envelope envelope(String topic) {
    String key = key();
    return new Envelope(
        MessageId.next(), topic, key == null ? null : new Key(key), headers(), payload(), null);
  }

  private @Nullable String key() {
    return switch (this) {
      case NO_KEY -> null;
      case SPACES_IN_KEY -> " a  b ";
      case UNICODE_KEY -> LETTERS;
      case LONG_KEY -> "k".repeat(Key.MAX_LENGTH);
      case SIGNS_IN_KEY -> SIGNS;
      default -> "42";
    };
  }

  private Map<String, String> headers() {
    return switch (this) {
      case NO_HEADERS -> Map.of();
      case EMPTY_HEADER -> Map.of("empty", "", "full", "x");
      case UNICODE_HEADER -> Map.of("letters", LETTERS);
      case SIGNS_IN_HEADER -> Map.of("signs", SIGNS);
      case HEADERS_ALIKE -> Map.of("tenant", "a", "Tenant", "b");
      case MANY_HEADERS -> many();
      case LONG_HEADER -> Map.of("long", "x".repeat(4096));
      default -> Map.of("tenant", "acme");
    };
  }

  private static Map<String, String> many() {
    Map<String, String> many = new HashMap<>();
    for (int number = 0; number < 50; number++) {
      many.put("header-" + number, "value " + number);
    }
    return many;
  }

  private Payload payload() {
    return new Payload("application/octet-stream", bytes());
  }

  private byte[] bytes() {
    return switch (this) {
      case EMPTY_PAYLOAD -> new byte[0];
      case LARGE_PAYLOAD -> everyByte(1024 * 1024);
      case BINARY_PAYLOAD -> everyByte(256);
      case UNICODE_PAYLOAD -> LETTERS.getBytes(StandardCharsets.UTF_8);
      default -> "placed".getBytes(StandardCharsets.UTF_8);
    };
  }

  private static byte[] everyByte(int length) {
    byte[] bytes = new byte[length];
    for (int place = 0; place < length; place++) {
      bytes[place] = (byte) place;
    }
    return bytes;
  }
}
