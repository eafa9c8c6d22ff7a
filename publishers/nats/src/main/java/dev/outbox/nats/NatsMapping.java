package dev.outbox.nats;

import dev.outbox.message.Envelope;
import dev.outbox.publish.CloudEvents;
import io.nats.client.impl.Headers;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a message becomes one of NATS: the payload as it is; id, key, content type and every header
 * in a header. A header of NATS holds ASCII, and loses the spaces around it: what has more is in
 * one header, encoded as a form of HTML is. As a CloudEvent it has the event's attributes beside
 * them.
 *
 * <p>Immutable.
 */
record NatsMapping(Function<Envelope, String> subjects, @Nullable CloudEvents cloudEvents) {
  /** By which JetStream drops repeats. */
  static final String ID = "Nats-Msg-Id";

  static final String KEY = "message-key";
  static final String CONTENT_TYPE = "content-type";
  static final String PACKED = "packed-headers";
  private static final String CLOUD_EVENT = "ce-";
  private static final String NATS = "Nats-";

  /** To the subject that has the name of the topic. */
  static final NatsMapping PLAIN = new NatsMapping(Envelope::topic, null);

  String subject(Envelope envelope) {
    return subjects.apply(envelope);
  }

  /** A header of the message that has a name with a meaning, or null. */
  @Nullable String reserved(Envelope envelope) {
    for (String name : envelope.headers().keySet()) {
      boolean ours = name.equals(KEY) || name.equals(CONTENT_TYPE) || name.equals(PACKED);
      boolean marks = cloudEvents != null && begins(name, CLOUD_EVENT);
      if (ours || marks || begins(name, NATS)) {
        return name;
      }
    }
    return null;
  }

  private static boolean begins(String name, String with) {
    return name.regionMatches(true, 0, with, 0, with.length());
  }

  /**
   * The payload, or the JSON text of a CloudEvent.
   *
   * @throws IllegalArgumentException when it should be part of a JSON text and is none
   */
  byte[] body(Envelope envelope) {
    return cloudEvents == null ? envelope.payload().bytes() : cloudEvents.body(envelope);
  }

  Headers headers(Envelope envelope) {
    Headers headers = new Headers();
    headers.put(ID, envelope.id().toString());
    StringJoiner packed = new StringJoiner("&");
    all(envelope)
        .forEach(
            (name, value) -> {
              if (isName(name) && isValue(value)) {
                headers.put(name, value);
              } else {
                packed.add(encoded(name) + "=" + encoded(value));
              }
            });
    if (packed.length() > 0) {
      headers.put(PACKED, packed.toString());
    }
    return headers;
  }

  private Map<String, String> all(Envelope envelope) {
    Map<String, String> all = new LinkedHashMap<>();
    if (envelope.key() != null) {
      all.put(KEY, envelope.key().value());
    }
    if (cloudEvents == null) {
      all.put(CONTENT_TYPE, envelope.payload().contentType());
    } else {
      all.put(CONTENT_TYPE, cloudEvents.contentType(envelope));
      if (!cloudEvents.isStructured()) {
        cloudEvents
            .attributes(envelope)
            .forEach((name, text) -> all.put(CLOUD_EVENT + name, CloudEvents.headerText(text)));
      }
    }
    all.putAll(envelope.headers());
    return all;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static boolean isName(String name) {
    return !name.isEmpty()
        && name.chars().allMatch(sign -> sign > ' ' && sign < 127 && sign != ':');
  }

  private static boolean isValue(String value) {
    return value.strip().length() == value.length()
        && value.chars().allMatch(sign -> sign >= ' ' && sign < 127);
  }
}
