package dev.outbox.message;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message with its id and encoded payload: what is stored and published.
 *
 * <p>Immutable. {@code key} is null for a message without a key; {@code notAfter} is null for one
 * that never expires. The headers keep the order in which they were given. The database's own
 * number and the lane of an envelope stay in the store, because nobody outside may order or
 * deduplicate by them.
 */
public record Envelope(
    MessageId id,
    String topic,
    @Nullable Key key,
    Map<String, String> headers,
    Payload payload,
    @Nullable Instant notAfter) {

  public Envelope {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** Id, topic, key and size; never the content. */
  @Override
  public String toString() {
    return "Envelope[id=%s, topic=%s, key=%s, %s]".formatted(id, topic, key, payload);
  }
}
