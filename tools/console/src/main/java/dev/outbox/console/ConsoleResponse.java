package dev.outbox.console;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/**
 * The console's answer, for whatever server asked.
 *
 * <p>Immutable. A body that {@code isStream} goes on until the client or the console ends it; its
 * length is not known.
 */
public record ConsoleResponse(
    int status, Map<String, String> headers, Body body, boolean isStream) {
  public ConsoleResponse {
    headers = Map.copyOf(headers);
  }

  /** Writes the body. */
  @FunctionalInterface
  public interface Body {
    void writeTo(OutputStream out) throws IOException;
  }
}
