package dev.outbox.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads {@code Retry-After}: seconds, or a date. Stateless. */
final class RetryAfter {
  /**
   * No broker is left alone for longer than this: a slip of the endpoint would hold messages for
   * ever.
   */
  private static final Duration LONGEST = Duration.ofDays(1);

  private static final int DIGITS = 9;

  private RetryAfter() {}

  /** How long to wait, at most a day; null when nothing is asked, or nothing that can be read. */
  static @Nullable Duration of(HttpHeaders headers) {
    String value = headers.firstValue("Retry-After").map(String::strip).orElse("");
    Duration asked =
        value.matches("\\d{1," + DIGITS + "}")
            ? Duration.ofSeconds(Long.parseLong(value))
            : until(value, headers);
    if (asked == null || asked.isNegative()) {
      return null;
    }
    return asked.compareTo(LONGEST) < 0 ? asked : LONGEST;
  }

  /** By the endpoint's own clock where it sends its time. */
  private static @Nullable Duration until(String date, HttpHeaders headers) {
    Instant now = headers.firstValue("Date").flatMap(RetryAfter::instant).orElseGet(Instant::now);
    return instant(date).map(then -> Duration.between(now, then)).orElse(null);
  }

  private static Optional<Instant> instant(String date) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)));
    } catch (DateTimeException notADate) {
      return Optional.empty();
    }
  }
}
