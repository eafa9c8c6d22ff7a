package dev.outbox.jdbc.internal.message;

import dev.outbox.message.MessageId;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON. */
public final class JsonText {
  private JsonText() {}

  /** Headers as one object, in order; null for none. */
  static @Nullable String headers(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return null;
    }
    StringBuilder json = new StringBuilder();
    object(json, headers);
    return json.toString();
  }

  /** An array of objects of numbers, strings, message ids and nulls. */
  public static String array(List<? extends Map<String, ? extends @Nullable Object>> objects) {
    StringBuilder json = new StringBuilder("[");
    for (Map<String, ? extends @Nullable Object> object : objects) {
      json.append(json.length() == 1 ? "" : ",");
      object(json, object);
    }
    return json.append(']').toString();
  }

  private static void object(StringBuilder json, Map<String, ? extends @Nullable Object> object) {
    char before = '{';
    for (Map.Entry<String, ? extends @Nullable Object> entry : object.entrySet()) {
      json.append(before);
      string(json, entry.getKey());
      json.append(':');
      if (entry.getValue() instanceof String text) {
        string(json, text);
      } else if (entry.getValue() instanceof MessageId id) {
        id(json, id);
      } else {
        json.append(entry.getValue());
      }
      before = ',';
    }
    json.append('}');
  }

  /** As 32 hexadecimal digits, which every database reads. */
  public static void id(StringBuilder json, MessageId id) {
    HexFormat digits = HexFormat.of();
    json.append('"')
        .append(digits.toHexDigits(id.value().getMostSignificantBits()))
        .append(digits.toHexDigits(id.value().getLeastSignificantBits()))
        .append('"');
  }

  public static void string(StringBuilder json, String value) {
    json.append('"');
    for (int i = 0; i < value.length(); i++) {
      character(json, value.charAt(i));
    }
    json.append('"');
  }

  private static void character(StringBuilder json, char c) {
    if (c == '"' || c == '\\') {
      json.append('\\').append(c);
    } else if (c < ' ') {
      json.append(String.format("\\u%04x", (int) c));
    } else {
      json.append(c);
    }
  }
}
