package dev.outbox.message;

import dev.outbox.cluster.Origin;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message with its id and encoded payload: what is stored and published.
 *
 * <p>Immutable. {@code id} is the same in every repeat. {@code topic} and {@code key} are the unit
 * of order; {@code key} is null for a message without one. {@code headers} keep the order in which
 * they were given. {@code notAfter} is null for a message that never expires. The database's own
 * number and the lane of an envelope stay in the store, because nothing outside may order or
 * deduplicate by them.
 *
 * <p>{@code reference} is null for a message that carries its payload. Otherwise the payload is in
 * one of the application's rows, and {@link #isUnresolved} until that was loaded; the reference
 * stays when it was.
 *
 * <p>{@code origin} matters with several clusters; with one it is {@link Origin#HERE}.
 *
 * <pre>{@code
 * Publisher publisher =
 *     Publisher.blocking(sent -> client.send(sent.topic(), sent.payload().bytes()));
 *
 * // in a test
 * Payload payload = new Payload("application/json", "{}".getBytes(UTF_8));
 * Envelope envelope = new Envelope(MessageId.next(), "orders", null, Map.of(), payload, null);
 * Envelope loaded = envelope.isUnresolved() ? envelope.resolved(payload) : envelope;
 * Envelope takenOver = loaded.from(new Origin(1, true));
 * Envelope ofTenant = loaded.withHeaders(Map.of("tenant", "north"));
 * }</pre>
 */
public record Envelope(
    MessageId id,
    String topic,
    @Nullable Key key,
    Map<String, String> headers,
    Payload payload,
    @Nullable Instant notAfter,
    @Nullable Reference reference,
    Origin origin) {

  public Envelope {
    headers = copyOf(headers);
  }

  /** Most messages have none or one, which need no order. */
  private static Map<String, String> copyOf(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return Collections.emptyMap();
    }
    if (headers.size() == 1) {
      Map.Entry<String, String> only = headers.entrySet().iterator().next();
      return Collections.singletonMap(only.getKey(), only.getValue());
    }
    return Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** An envelope of the only cluster there is. */
  public Envelope(
      MessageId id,
      String topic,
      @Nullable Key key,
      Map<String, String> headers,
      Payload payload,
      @Nullable Instant notAfter,
      @Nullable Reference reference) {
    this(id, topic, key, headers, payload, notAfter, reference, Origin.HERE);
  }

  /** An envelope that carries its payload, of the only cluster there is. */
  public Envelope(
      MessageId id,
      String topic,
      @Nullable Key key,
      Map<String, String> headers,
      Payload payload,
      @Nullable Instant notAfter) {
    this(id, topic, key, headers, payload, notAfter, null);
  }

  /** True when the payload is elsewhere and was not loaded yet. */
  public boolean isUnresolved() {
    return reference != null
        && payload.bytes().length == 0
        && payload.contentType().equals(Reference.UNRESOLVED.contentType());
  }

  /** The same message with this payload. */
  public Envelope resolved(Payload payload) {
    return new Envelope(id, topic, key, headers, payload, notAfter, reference, origin);
  }

  /** The same message with these headers. */
  public Envelope withHeaders(Map<String, String> headers) {
    return new Envelope(id, topic, key, headers, payload, notAfter, reference, origin);
  }

  /** This message with another origin. */
  public Envelope from(Origin from) {
    return new Envelope(id, topic, key, headers, payload, notAfter, reference, from);
  }

  /** Id, topic, key and size, or the reference; never the content. */
  @Override
  public String toString() {
    return "Envelope[id=%s, topic=%s, key=%s, %s]"
        .formatted(
            id, topic, key, reference == null ? payload.toString() : "reference to " + reference);
  }
}
