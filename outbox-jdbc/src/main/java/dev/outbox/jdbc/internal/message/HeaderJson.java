package dev.outbox.jdbc.internal.message;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Headers as the text of one JSON object, in order. What others wrote is read leniently: numbers,
 * booleans, arrays and objects as their own text, null as if the header were not there.
 *
 * <p>Stateless.
 */
final class HeaderJson {
  private HeaderJson() {}

  /** The text, or null for no headers. */
  static @Nullable String write(Map<String, String> headers) {
    if (headers.isEmpty()) {
      return null;
    }
    StringBuilder json = new StringBuilder("{");
    headers.forEach(
        (name, value) -> {
          json.append(json.length() == 1 ? "" : ",");
          JsonText.string(json, name);
          json.append(':');
          JsonText.string(json, value);
        });
    return json.append('}').toString();
  }

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException when it is not one JSON object
   */
  static Map<String, String> read(@Nullable String json) {
    if (json == null || json.isBlank()) {
      return Map.of();
    }
    JsonScanner scanner = new JsonScanner(json);
    Map<String, String> headers = new LinkedHashMap<>();
    scanner.object(
        (name, value) -> {
          if (value != null) {
            headers.put(name, value);
          }
        });
    scanner.end();
    return headers;
  }
}
