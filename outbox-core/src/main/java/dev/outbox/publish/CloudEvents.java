package dev.outbox.publish;

import dev.outbox.internal.text.JsonEvent;
import dev.outbox.message.Envelope;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How messages become CloudEvents 1.0. In binary mode the attributes are headers of the broker,
 * beside the payload; in structured mode they and the payload are one JSON text. The type of an
 * event is the message's topic, its time the instant of the enqueue, its partition key the
 * message's key; trace headers are attributes too.
 *
 * <p>Immutable. The ready publishers take one; in your own publisher, {@link #attributes}, {@link
 * #contentType} and {@link #body} are what to send.
 *
 * <pre>{@code
 * CloudEvents events = CloudEvents.binary(URI.create("/shop/orders")); // or structured(source)
 * String refusal = events.refusal(envelope); // null when it fits
 * Map<String, String> headers = new TreeMap<>();
 * events
 *     .attributes(envelope)
 *     .forEach((name, value) -> headers.put("ce-" + name, CloudEvents.headerText(value)));
 * headers.put("content-type", events.contentType(envelope));
 * byte[] body = events.body(envelope);
 *
 * CloudEvents oneText = CloudEvents.structured(URI.create("/shop/orders"));
 * boolean ofOneText = oneText.isStructured();
 * }</pre>
 */
public record CloudEvents(URI source, Mode mode) {
  private static final String[] TRACE = {"traceparent", "tracestate"};
  private static final String HEX = "0123456789ABCDEF";

  /** Where the attributes of an event are. */
  public enum Mode {
    /** Beside the payload. */
    BINARY,
    /** In one JSON text with the payload. */
    STRUCTURED
  }

  /**
   * @throws IllegalArgumentException when the source is empty
   */
  public CloudEvents {
    Objects.requireNonNull(mode, "mode");
    if (source.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "source is empty, a CloudEvent needs one; name your service, as URI.create(\"/shop/orders\")");
    }
  }

  /** Attributes beside the payload. */
  public static CloudEvents binary(URI source) {
    return new CloudEvents(source, Mode.BINARY);
  }

  /** One JSON text of attributes and payload. */
  public static CloudEvents structured(URI source) {
    return new CloudEvents(source, Mode.STRUCTURED);
  }

  /** True when the attributes are part of the {@link #body}. */
  public boolean isStructured() {
    return mode == Mode.STRUCTURED;
  }

  /** The attributes of an event but for its content type, in the order of the specification. */
  public Map<String, String> attributes(Envelope envelope) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("specversion", "1.0");
    attributes.put("id", envelope.id().toString());
    attributes.put("source", source.toString());
    attributes.put("type", envelope.topic());
    envelope.id().madeAt().ifPresent(time -> attributes.put("time", time.toString()));
    if (envelope.key() != null) {
      attributes.put("partitionkey", envelope.key().value());
    }
    for (String trace : TRACE) {
      String value = envelope.headers().get(trace);
      if (value != null) {
        attributes.put(trace, value);
      }
    }
    return attributes;
  }

  /** The content type of the {@link #body}. */
  public String contentType(Envelope envelope) {
    return isStructured()
        ? "application/cloudevents+json; charset=UTF-8"
        : envelope.payload().contentType();
  }

  /**
   * What is sent beside the headers: the payload as it is, or the JSON text. In that, JSON stays
   * JSON, text becomes a string, and anything else Base64.
   *
   * @throws IllegalArgumentException with the text of {@link #refusal}
   */
  public byte[] body(Envelope envelope) {
    if (!isStructured()) {
      return envelope.payload().bytes();
    }
    String refusal = refusal(envelope);
    if (refusal != null) {
      throw new IllegalArgumentException(refusal);
    }
    String type = mediaType(envelope);
    JsonEvent event = JsonEvent.of(attributes(envelope));
    event.text("datacontenttype", envelope.payload().contentType());
    if (isJson(type)) {
      event.json("data", envelope.payload().text());
    } else if (type.startsWith("text/")) {
      event.text("data", envelope.payload().text());
    } else {
      event.bytes("data_base64", envelope.payload().bytes());
    }
    return event.end();
  }

  /** Why this message cannot be such an event, or null: its payload says it is JSON and is not. */
  public @Nullable String refusal(Envelope envelope) {
    boolean fits =
        !isStructured()
            || envelope.isUnresolved()
            || !isJson(mediaType(envelope))
            || JsonEvent.isOneValue(envelope.payload().text());
    return fits
        ? null
        : "payload of content type %s is not JSON; give its own content type to bytes(..), or publish binary CloudEvents"
            .formatted(envelope.payload().contentType());
  }

  private static String mediaType(Envelope envelope) {
    return envelope.payload().contentType().toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
  }

  private static boolean isJson(String type) {
    return type.endsWith("/json") || type.endsWith("+json");
  }

  /**
   * A value as the HTTP binding writes it into a header: printable ASCII as it is, but for the
   * quote and the percent sign; a space and everything else as percent signs and the bytes of
   * UTF-8.
   */
  public static String headerText(String value) {
    StringBuilder text = new StringBuilder(value.length());
    for (byte each : value.getBytes(StandardCharsets.UTF_8)) {
      if (each > ' ' && each < 0x7F && each != '"' && each != '%') {
        text.append((char) each);
      } else {
        text.append('%').append(HEX.charAt(each >> 4 & 0xF)).append(HEX.charAt(each & 0xF));
      }
    }
    return text.toString();
  }
}
