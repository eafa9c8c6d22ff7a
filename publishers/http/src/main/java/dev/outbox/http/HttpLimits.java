package dev.outbox.http;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What HTTP can hold: a destination, tokens as names of headers, and printable ASCII as their
 * values.
 *
 * <p>Immutable.
 */
record HttpLimits(HttpMapping mapping) implements MessageLimits {
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** A space at an end would be lost. */
  private static final Pattern TEXT = Pattern.compile("(?:[!-~](?:[ -~]*[!-~])?)?");

  @Override
  public @Nullable String refusal(Envelope envelope) {
    try {
      mapping.destination(envelope);
    } catch (HttpErrors.Refused e) {
      return e.getMessage();
    }
    String headers = ofHeaders(envelope);
    return headers != null || mapping.cloudEvents() == null
        ? headers
        : mapping.cloudEvents().refusal(envelope);
  }

  /** What is wrong with the headers or the content type, or null. */
  @Nullable String ofHeaders(Envelope envelope) {
    String contentType = envelope.payload().contentType();
    if (!TEXT.matcher(contentType).matches()) {
      return "content type '%s' is not printable ASCII, which HTTP demands of a header; rename it"
          .formatted(contentType);
    }
    Set<String> names = new HashSet<>();
    for (Map.Entry<String, String> header : envelope.headers().entrySet()) {
      String refusal = ofHeader(header.getKey(), header.getValue(), names);
      if (refusal != null) {
        return refusal;
      }
    }
    return null;
  }

  /** What is wrong with the name of a header, or null. */
  @Nullable String ofName(String name) {
    if (!TOKEN.matcher(name).matches()) {
      return "header '%s' has a name that HTTP does not take; use letters, digits and hyphens"
          .formatted(name);
    }
    return mapping.reserves(name.toLowerCase(Locale.ROOT)) ? taken(name) : null;
  }

  private static String taken(String name) {
    return "header '%s' has the name of one that the publisher sets; rename it".formatted(name);
  }

  /**
   * Looks at the headers of the application's own once all is set.
   *
   * @throws IllegalArgumentException when the publisher sets one of the same name
   */
  void requireExtras() {
    for (String name : mapping.extras().keySet()) {
      if (mapping.sets(name.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(taken(name));
      }
    }
  }

  private @Nullable String ofHeader(String name, String value, Set<String> names) {
    String refusal = ofName(name);
    if (refusal != null) {
      return refusal;
    }
    if (!names.add(name.toLowerCase(Locale.ROOT))) {
      return "header '%s' is given twice, because HTTP ignores case; rename one".formatted(name);
    }
    return TEXT.matcher(value).matches()
        ? null
        : "header '%s' has a value that is not printable ASCII or has a space at an end, which HTTP does not carry; encode it, or put it into the payload"
            .formatted(name);
  }

  /**
   * The value of a header of the application's own, which is no fault of a message.
   *
   * @throws HttpErrors.NotNow when there is none, or none that HTTP carries
   */
  static String given(String name, Supplier<String> value) {
    String given = HttpErrors.asked("value of header '%s'".formatted(name), value);
    if (given == null || !TEXT.matcher(given).matches()) {
      throw new HttpErrors.NotNow(
          "the value that header(\"%s\", ..) was given is %s"
              .formatted(name, given == null ? "null" : "not printable ASCII"),
          null);
    }
    return given;
  }
}
