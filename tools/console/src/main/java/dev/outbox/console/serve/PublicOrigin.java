package dev.outbox.console.serve;

import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where browsers find the console behind a proxy, as they write it into the header Origin.
 *
 * <p>Immutable.
 */
public record PublicOrigin(String text, String host) {
  private static final Pattern ORIGIN =
      Pattern.compile("(https?)://([a-z0-9._-]+|\\[[0-9a-f:.]+])(:\\d{1,5})?/?");
  private static final Map<String, String> USUAL_PORTS = Map.of("http", ":80", "https", ":443");

  /**
   * Reads an origin; browsers leave out the port that its scheme has without saying it.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static PublicOrigin of(String given) {
    Matcher parts = ORIGIN.matcher(given.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "publicOrigin is %s, it must be scheme and host, such as https://ops.example.org"
              .formatted(given));
    }
    String scheme = parts.group(1);
    String port = Objects.requireNonNullElse(parts.group(3), "");
    String place = scheme + "://" + parts.group(2);
    return new PublicOrigin(
        port.equals(USUAL_PORTS.get(scheme)) ? place : place + port, parts.group(2));
  }

  boolean isSecure() {
    return text.startsWith("https:");
  }
}
