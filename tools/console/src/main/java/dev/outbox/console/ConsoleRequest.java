package dev.outbox.console;

import java.io.InputStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request to the console, from whatever server it came.
 *
 * <p>Used by one thread. {@code path} is below the place where the console is mounted and begins
 * with a slash; {@code query} is decoded; {@code from} says where it came from, for the log.
 */
public record ConsoleRequest(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    InputStream body,
    String from) {
  public ConsoleRequest {
    query = Map.copyOf(query);
    Map<String, String> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    named.putAll(headers);
    headers = named;
    method = method.toUpperCase(Locale.ROOT);
  }

  /** A header, whatever the case of its name, or null. */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /** A value of the query, or null when it is missing or empty. */
  public @Nullable String asked(String name) {
    String value = query.get(name);
    return value == null || value.isEmpty() ? null : value;
  }
}
