package dev.outbox.servers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of the form {@code jdbc:product://host:port/database?parameters}. Stateless. */
final class JdbcUrl {
  private static final Pattern PARTS = Pattern.compile("(jdbc:[^/]+//[^/?]+)/?([^?]*)(\\?.*)?");

  private JdbcUrl() {}

  static String withDatabase(String url, String database) {
    Matcher parts = PARTS.matcher(url);
    if (!parts.matches()) {
      throw new ServerUnavailableException(
          "not of the form jdbc:product://host:port/database?parameters: " + url);
    }
    String parameters = parts.group(3) == null ? "" : parts.group(3);
    return parts.group(1) + "/" + database + parameters;
  }
}
