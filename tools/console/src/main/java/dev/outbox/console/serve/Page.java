package dev.outbox.console.serve;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The files of the page. They say nothing of the store, so anybody may read them.
 *
 * <p>Immutable. A path is one of a list, never looked up in the file system. The style is in the
 * page itself: nothing is painted before it is there.
 */
final class Page {
  private static final List<String> NAMES =
      List.of(
          "index.html",
          "icon.svg",
          "app.js",
          "dom.js",
          "api.js",
          "chart.js",
          "overview.js",
          "lanes.js",
          "topics.js",
          "held.js",
          "dead.js",
          "letter.js",
          "job.js",
          "doctor.js",
          "schema.js");
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  private final String style = text("style.css");
  private final Map<String, File> files =
      NAMES.stream().collect(Collectors.toMap(name -> "/" + name, this::read));

  /** A file and its type. */
  record File(String type, String text) {}

  @Nullable File at(String path) {
    return files.get(path.equals("/") || path.isEmpty() ? "/index.html" : path);
  }

  /** What a policy says of the style, so that no other is heeded. */
  String styleSource() {
    try {
      byte[] bytes = style.getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private File read(String name) {
    String type = TYPES.getOrDefault(name.replaceFirst(".*\\.", ""), "text/plain");
    return new File(type, text(name).replace("<style></style>", "<style>" + style + "</style>"));
  }

  private static String text(String name) {
    Function<String, @Nullable InputStream> open = Page.class::getResourceAsStream;
    try (InputStream in = open.apply("/dev/outbox/console/page/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
