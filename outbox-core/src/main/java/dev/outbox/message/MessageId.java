package dev.outbox.message;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The stable identity of a message: a time-ordered UUID (version 7), made when it is enqueued and
 * kept through retries, replays and repeats, so that brokers and consumers can drop what they have
 * seen before.
 *
 * <p>Immutable. Ids say nothing about order: two processes make them by their own clocks. The order
 * comes from the database.
 *
 * <pre>{@code
 * MessageId id = MessageId.parse("01987b2c-8f00-7000-8000-000000000001");
 * Instant made = id.madeAt().orElseThrow();
 * MessageId same = MessageId.fromBytes(id.toBytes());
 * MessageId fresh = MessageId.next();
 * }</pre>
 */
public record MessageId(UUID value) implements Comparable<MessageId> {
  /** The length of its binary form. */
  public static final int BYTES = 16;

  private static final int LETTERS = 36;

  /** A new id: 48 bits of milliseconds, 12 bits of the fraction below, 62 random bits. */
  public static MessageId next() {
    Instant now = Instant.now();
    long fraction = (now.get(ChronoField.NANO_OF_SECOND) % 1_000_000L) * 4096 / 1_000_000;
    long most = now.toEpochMilli() << 16 | 0x7000L | fraction;
    // no SecureRandom of our own: an image that is initialised at its build must not hold one
    long least = UUID.randomUUID().getLeastSignificantBits();
    return new MessageId(new UUID(most, least));
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException when {@code text} is not a UUID
   */
  public static MessageId parse(String text) {
    int length = Objects.requireNonNull(text, "message id").length();
    if (length != LETTERS) {
      throw new IllegalArgumentException(
          "message id is '%s' of %d characters, it must be a UUID of %d"
              .formatted(text.substring(0, Math.min(length, LETTERS)), length, LETTERS));
    }
    try {
      return new MessageId(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "message id is '%s', it must be a UUID".formatted(text), e);
    }
  }

  /**
   * Reads the 16 bytes of {@link #toBytes}.
   *
   * @throws IllegalArgumentException when there are not exactly 16 bytes
   */
  public static MessageId fromBytes(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a message id has 16 bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new MessageId(new UUID(buffer.getLong(), buffer.getLong()));
  }

  /** The 16 bytes, most significant first. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits())
        .array();
  }

  /** When the writer made this id, by the writer's clock; empty for ids of other UUID versions. */
  public Optional<Instant> madeAt() {
    return value.version() == 7
        ? Optional.of(Instant.ofEpochMilli(value.getMostSignificantBits() >>> 16))
        : Optional.empty();
  }

  @Override
  public int compareTo(MessageId other) {
    int most =
        Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
    return most != 0
        ? most
        : Long.compareUnsigned(
            value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
