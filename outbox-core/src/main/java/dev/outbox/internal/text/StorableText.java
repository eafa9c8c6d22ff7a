package dev.outbox.internal.text;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The rules for short texts that are stored in a column and compared there. */
public final class StorableText {
  private static final int SHOWN = 40;

  private StorableText() {}

  /** Refuses what one of the databases would refuse, cut, or silently change. */
  public static void check(String argument, String value, int maxLength) {
    if (Objects.requireNonNull(value, argument).isEmpty()) {
      throw new IllegalArgumentException(
          argument + " is empty; give it a value of 1 to " + maxLength + " characters");
    }
    if (value.length() > maxLength) {
      throw new IllegalArgumentException(
          "%s has %d characters, the limit is %d: %s"
              .formatted(argument, value.length(), maxLength, shorten(value)));
    }
    checkCharacters(argument, value);
  }

  /** As {@link #check}; also refuses what would break the lines of a log, or be unseen in them. */
  public static void checkName(String argument, String value, int maxLength) {
    check(argument, value, maxLength);
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (ShortText.isControl(c)) {
        throw new IllegalArgumentException(
            "%s has a control character (U+%04X) at index %d, which would break the lines of logs; leave it out: %s"
                .formatted(argument, (int) c, i, ShortText.oneLine(shorten(value))));
      }
    }
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          "%s has blanks only; give it a name of 1 to %d characters: %s"
              .formatted(argument, maxLength, shorten(value)));
    }
  }

  /**
   * Refuses NUL, which PostgreSQL cannot store, and half surrogate pairs, which have no UTF-8 form.
   */
  public static void checkCharacters(String argument, String value) {
    int length = Objects.requireNonNull(value, argument).length();
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (c == 0) {
        throw new IllegalArgumentException(
            "%s has a NUL character at index %d, which no column can hold: %s"
                .formatted(argument, i, shorten(value).replace("\0", "\\0")));
      }
      if (Character.isSurrogate(c)) {
        i = pairEnd(argument, value, i);
      }
    }
  }

  private static int pairEnd(String argument, String value, int i) {
    boolean paired =
        Character.isHighSurrogate(value.charAt(i))
            && i + 1 < value.length()
            && Character.isLowSurrogate(value.charAt(i + 1));
    if (!paired) {
      throw new IllegalArgumentException(
          "%s has half a surrogate pair (U+%04X) at index %d, which has no UTF-8 form"
              .formatted(argument, (int) value.charAt(i), i));
    }
    return i + 1;
  }

  /**
   * The text in UTF-8.
   *
   * @throws IllegalArgumentException when it has half a surrogate pair
   */
  public static byte[] utf8(String argument, String value) {
    try {
      ByteBuffer encoded =
          StandardCharsets.UTF_8
              .newEncoder()
              .encode(CharBuffer.wrap(Objects.requireNonNull(value, argument)));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(
          argument + " has half a surrogate pair, which has no UTF-8 form", e);
    }
  }

  private static String shorten(String value) {
    return value.length() <= SHOWN ? "'" + value + "'" : "'" + value.substring(0, SHOWN) + "...'";
  }
}
