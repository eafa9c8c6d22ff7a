package dev.outbox.message;

/**
 * The name under which an inbox keeps the receipts of one consumer: each consumer has every message
 * once.
 *
 * <p>Immutable. At most {@value #MAX_LENGTH} characters, not empty, no NUL, no half surrogate
 * pairs, so that every database keeps and compares it exactly.
 */
public record Consumer(String name) {
  /** The longest name, in UTF-16 characters. */
  public static final int MAX_LENGTH = 255;

  /**
   * @throws IllegalArgumentException when the name is empty, too long, or not storable on every
   *     database
   */
  public Consumer {
    StorableText.check("consumer", name, MAX_LENGTH);
  }

  @Override
  public String toString() {
    return name;
  }
}
