package dev.outbox.spi.lane;

import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Finds the lane of a key: the first four bytes of the SHA-256 of its UTF-8 form, read as an
 * unsigned number, modulo the number of lanes. Every supported database can compute the same, so
 * plain SQL can enqueue too.
 *
 * <p>Stateless.
 */
public final class LaneHash {
  private LaneHash() {}

  /** The lane of {@code key} among {@code lanes}. */
  public static Lane of(Key key, int lanes) {
    byte[] digest = sha256().digest(key.value().getBytes(StandardCharsets.UTF_8));
    return lane(ByteBuffer.wrap(digest).getInt(), lanes);
  }

  /** A lane for a message without a key: its id spreads such messages over all lanes. */
  public static Lane spread(MessageId id, int lanes) {
    return lane((int) id.value().getLeastSignificantBits(), lanes);
  }

  private static Lane lane(int bits, int lanes) {
    return new Lane((int) (Integer.toUnsignedLong(bits) % lanes));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
