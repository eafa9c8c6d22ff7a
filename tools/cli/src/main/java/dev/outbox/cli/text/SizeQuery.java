package dev.outbox.cli.text;

import dev.outbox.cli.text.Terminal.Size;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks {@code stty}, which most systems have, how large the terminal of this process is. */
final class SizeQuery {
  private static final Logger log = LoggerFactory.getLogger(SizeQuery.class);
  private static final Pattern LINES_AND_COLUMNS = Pattern.compile("(\\d{1,5}) (\\d{1,5})\\s*");

  private SizeQuery() {}

  /** The size, or null where it is not known. */
  static @Nullable Size ask() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(Redirect.INHERIT)
              .redirectError(Redirect.DISCARD)
              .start();
      try {
        return stty.waitFor(1, TimeUnit.SECONDS) ? size(stty) : null;
      } finally {
        stty.destroy();
      }
    } catch (IOException e) {
      log.debug("there is no stty", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  private static @Nullable Size size(Process stty) throws IOException {
    byte[] said = stty.getInputStream().readAllBytes();
    Matcher size = LINES_AND_COLUMNS.matcher(new String(said, StandardCharsets.US_ASCII));
    boolean isTold = size.matches() && !size.group(1).equals("0") && !size.group(2).equals("0");
    return isTold
        ? new Size(Integer.parseInt(size.group(2)), Integer.parseInt(size.group(1)))
        : null;
  }
}
