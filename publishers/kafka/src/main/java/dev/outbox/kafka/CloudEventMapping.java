package dev.outbox.kafka;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import dev.outbox.message.Envelope;
import dev.outbox.message.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A message as a CloudEvent 1.0, in the two forms of the Kafka binding: its attributes in headers
 * and the payload as it is, or all of it in one JSON text. The type is the message's topic; its
 * headers stay headers of the record, and trace headers are attributes too.
 *
 * <p>Immutable.
 */
record CloudEventMapping(URI source, boolean structured) {
  private static final String PREFIX = "ce_";
  private static final JsonFactory JSON = new JsonFactory();

  /** True for the name of a header that this mapping sets. */
  boolean reserves(String name) {
    return name.equals(RecordMapping.CONTENT_TYPE) || name.startsWith(PREFIX);
  }

  /** The attributes in the order of the specification. */
  private Map<String, String> attributes(Envelope envelope) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("specversion", "1.0");
    attributes.put("id", envelope.id().toString());
    attributes.put("source", source.toString());
    attributes.put("type", envelope.topic());
    envelope.id().madeAt().ifPresent(time -> attributes.put("time", time.toString()));
    if (envelope.key() != null) {
      attributes.put("partitionkey", envelope.key().value());
    }
    for (String trace : new String[] {"traceparent", "tracestate"}) {
      String value = envelope.headers().get(trace);
      if (value != null) {
        attributes.put(trace, value);
      }
    }
    return attributes;
  }

  Map<String, String> headers(Envelope envelope) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (structured) {
      headers.put(RecordMapping.CONTENT_TYPE, "application/cloudevents+json; charset=UTF-8");
    } else {
      headers.put(RecordMapping.CONTENT_TYPE, envelope.payload().contentType());
      attributes(envelope).forEach((name, value) -> headers.put(PREFIX + name, value));
    }
    return headers;
  }

  byte[] value(Envelope envelope) {
    if (!structured) {
      return envelope.payload().bytes();
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      for (Map.Entry<String, String> each : attributes(envelope).entrySet()) {
        json.writeStringField(each.getKey(), each.getValue());
      }
      json.writeStringField("datacontenttype", envelope.payload().contentType());
      writeData(json, envelope.payload());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void writeData(JsonGenerator json, Payload payload) throws IOException {
    String type = payload.contentType().toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
    if (type.endsWith("/json") || type.endsWith("+json")) {
      requireJson(payload);
      json.writeFieldName("data");
      json.writeRawValue(payload.text());
    } else if (type.startsWith("text/")) {
      json.writeStringField("data", payload.text());
    } else {
      json.writeFieldName("data_base64");
      json.writeBinary(payload.bytes());
    }
  }

  /** What is written raw must not end the JSON around it. */
  private static void requireJson(Payload payload) throws IOException {
    try (JsonParser parser = JSON.createParser(payload.text())) {
      parser.nextToken();
      parser.skipChildren();
      if (parser.currentToken() == null || parser.nextToken() != null) {
        throw new NotJsonException(refusal(payload), new IOException("not one JSON value"));
      }
    } catch (JsonProcessingException e) {
      throw new NotJsonException(refusal(payload), e);
    }
  }

  private static String refusal(Payload payload) {
    return "payload of content type %s is no JSON; give its own content type to bytes(..), or publish binary CloudEvents"
        .formatted(payload.contentType());
  }
}
