package dev.outbox.testkit.contract;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as a consumer of the broker under test sees it; {@code key} is null for one without a
 * key. Headers that the broker or the publisher adds do no harm.
 *
 * <p>Immutable. The bytes are shared, not copied.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by content where it matters
public record Received(
    MessageId id, @Nullable String key, Map<String, String> headers, byte[] bytes) {
  /** Copies the headers. */
  public Received {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** What a broker has received that keeps whole envelopes. */
  public static Received of(Envelope envelope) {
    String key = envelope.key() == null ? null : envelope.key().value();
    return new Received(envelope.id(), key, envelope.headers(), envelope.payload().bytes());
  }

  /** Id, key and size; never the content. */
  @Override
  public String toString() {
    return "Received[id=%s, key=%s, %d bytes]".formatted(id, key, bytes.length);
  }
}
