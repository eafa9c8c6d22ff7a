package dev.outbox.testkit.history;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The message of a note: its id, what orders it, and a digest of what it carries.
 *
 * <p>Immutable. Without a key nothing is expected of its order.
 */
public record Subject(MessageId id, String topic, @Nullable String key, long digest) {
  /** The message in {@code envelope}. */
  public static Subject of(Envelope envelope) {
    CRC32 digest = new CRC32();
    digest.update(envelope.payload().bytes());
    String key = envelope.key() == null ? null : envelope.key().value();
    return new Subject(envelope.id(), envelope.topic(), key, digest.getValue());
  }

  /** The same message, of which no order is expected: it is delayed, or was replayed. */
  public Subject unordered() {
    return new Subject(id, topic, null, digest);
  }

  /** True when {@code arrived} is what was written; without a key here any key will do. */
  boolean isCarriedBy(Subject arrived) {
    return digest == arrived.digest
        && topic.equals(arrived.topic)
        && (key == null || key.equals(arrived.key));
  }

  @Override
  public String toString() {
    return topic + (key == null ? "" : "/" + key) + " " + id;
  }
}
