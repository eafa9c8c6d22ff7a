package dev.outbox.message;

import dev.outbox.internal.text.StorableText;
import java.util.Objects;

/**
 * The ordering key: messages of one topic with one key leave in the order of the commits, if
 * concurrent writers first lock the same row.
 *
 * <p>Immutable. At most {@value #MAX_LENGTH} characters, not empty, no NUL, no half surrogate
 * pairs, so that every database keeps and compares it exactly.
 */
public record Key(String value) {
  /** The longest key, in UTF-16 characters. */
  public static final int MAX_LENGTH = 255;

  static final String MISSING = "key is null; leave key(..) out for a message without an order";

  /**
   * @throws IllegalArgumentException when the value is empty, too long, or not storable on every
   *     database
   */
  public Key {
    Objects.requireNonNull(value, MISSING);
    StorableText.check("key", value, MAX_LENGTH);
  }

  @Override
  public String toString() {
    return value;
  }
}
