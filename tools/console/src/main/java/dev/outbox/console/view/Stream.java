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
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final StoreWatch sampler;

  private Stream(StoreWatch sampler) {
    this.sampler = sampler;
  }

  /**
   * Watches while it is written, so that an answer which nobody takes holds no place.
   *
   * @throws AnswerException when there are too many
   */
  public static Stream of(StoreWatch sampler) {
    sampler.requireRoom();
    return new Stream(sampler);
  }

  /**
   * Writes until the client has gone, the console closes, or half an hour has passed: the browser
   * asks again, and whoever is logged in no more is refused then.
   */
  public void writeTo(OutputStream out) throws IOException {
    if (!sampler.join()) {
      return; // the browser asks again, and is told
    }
    try {
      long seen = 0;
      long end = System.nanoTime() + LONGEST.toNanos();
      while (!sampler.isClosed() && System.nanoTime() < end) {
        List<StoreWatch.Sample> samples = sampler.after(seen, PATIENCE);
        write(out, samples, sampler.waitingFor());
        seen = samples.isEmpty() ? seen : samples.get(samples.size() - 1).number();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      sampler.leave();
    }
  }

  private static void write(OutputStream out, List<StoreWatch.Sample> samples, Duration waiting)
      throws IOException {
    StringBuilder text = new StringBuilder(samples.isEmpty() ? silence(waiting) : "");
    for (int i = 0; i < samples.size(); i++) {
      boolean isLast = i == samples.size() - 1;
      text.append("data: ")
          .append(JSON.writeValueAsString(Overview.of(samples.get(i), isLast)))
          .append("\n\n");
    }
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** That the database has not answered yet; between looks only that this page is alive. */
  private static String silence(Duration waiting) {
    return waiting.compareTo(PATIENCE) < 0
        ? ": still here\n\n"
        : "data: {\"waiting\":" + waiting.toSeconds() + "}\n\n";
  }
}
