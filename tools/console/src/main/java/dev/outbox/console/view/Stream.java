package dev.outbox.console.view;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * One page that watches: each look as a server-sent event, and a sign of life between.
 *
 * <p>Used by one thread.
 */
public final class Stream {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Pulse pulse;

  private Stream(Pulse pulse) {
    this.pulse = pulse;
  }

  /**
   * Watches while it is written, so that an answer which nobody takes holds no place.
   *
   * @throws Answer when there are too many
   */
  public static Stream of(Pulse pulse) {
    pulse.requireRoom();
    return new Stream(pulse);
  }

  /** Writes until the client has gone or the console closes. */
  public void writeTo(OutputStream out) throws IOException {
    if (!pulse.join()) {
      return; // the browser asks again, and is told
    }
    try {
      long seen = 0;
      while (!pulse.isClosed()) {
        List<Pulse.Beat> beats = pulse.after(seen, PATIENCE);
        write(out, beats);
        seen = beats.isEmpty() ? seen : beats.get(beats.size() - 1).number();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      pulse.leave();
    }
  }

  private static void write(OutputStream out, List<Pulse.Beat> beats) throws IOException {
    StringBuilder text = new StringBuilder(beats.isEmpty() ? ": still here\n\n" : "");
    for (int i = 0; i < beats.size(); i++) {
      boolean isLast = i == beats.size() - 1;
      text.append("data: ")
          .append(JSON.writeValueAsString(Overview.of(beats.get(i), isLast)))
          .append("\n\n");
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
