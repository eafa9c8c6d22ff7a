package dev.outbox.internal.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * A JSON object of texts, with other JSON or bytes among them, that is written field by field. Used
 * by one thread.
 */
public final class JsonEvent {
  private static final JsonFactory JSON = new JsonFactory();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final JsonGenerator json;

  private JsonEvent() throws IOException {
    this.json = JSON.createGenerator(bytes);
    json.writeStartObject();
  }

  /** Begins with these fields. */
  public static JsonEvent of(Map<String, String> texts) {
    try {
      JsonEvent event = new JsonEvent();
      texts.forEach(event::text);
      return event;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** True when the text is one JSON value, so that it ends nothing around it. */
  public static boolean isOneValue(String text) {
    return JsonSyntax.values(text) == 1;
  }

  /** A field with a text. */
  public void text(String name, String value) {
    write(() -> json.writeStringField(name, value));
  }

  /** A field with what {@link #isOneValue}. */
  public void json(String name, String value) {
    write(
        () -> {
          json.writeFieldName(name);
          json.writeRawValue(value);
        });
  }

  /** A field with Base64. */
  public void bytes(String name, byte[] value) {
    write(() -> json.writeBinaryField(name, value));
  }

  /** The whole text in UTF-8. */
  public byte[] end() {
    write(
        () -> {
          json.writeEndObject();
          json.close();
        });
    return bytes.toByteArray();
  }

  private interface Writing {
    void run() throws IOException;
  }

  private static void write(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
