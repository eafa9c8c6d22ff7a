package dev.outbox.internal.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Headers as the text of one JSON object, in order. It is read leniently, because others write it
 * too: numbers, booleans, arrays and objects as their own text, null as if the header were not
 * there.
 *
 * <p>Stateless.
 */
public final class HeaderJson {
  private HeaderJson() {}

  /**
   * Reads a text.
   *
   * @throws IllegalArgumentException when it is not one JSON object
   */
  public static Map<String, String> read(@Nullable String json) {
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
