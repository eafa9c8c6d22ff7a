package dev.outbox.console.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters as values.
 *
 * <p>Safe for use by many threads.
 */
final class DeadView {
  private static final int SHORT = 400;
  private static final int LONGEST = 200_000;
  private static final String CUT = "\n(cut here; outbox dead show --payload has all of it)";
  private static final int MOST_MINUTES = 100_000_000;
  private static final List<String> FILTERS = List.of("topic", "key", "reason", "error", "older");
  private static final String NAMES = String.join(", ", FILTERS);

  private final DeadLetters dead;
  private final boolean payloads;

  DeadView(DeadLetters dead, boolean payloads) {
    this.dead = dead;
    this.payloads = payloads;
  }

  List<Map<String, @Nullable Object>> page(Filter filter, long after, int limit) {
    return dead.summaries(filter, after, limit).stream().map(DeadView::row).toList();
  }

  long count(Filter filter, long bound) {
    return dead.count(filter, bound);
  }

  /**
   * One letter, with headers and history, and its payload if that may be shown.
   *
   * @throws AnswerException when it is not there
   */
  Map<String, @Nullable Object> letter(long number) {
    List<DeadLetter> found =
        number < 1 ? List.of() : dead.page(Filter.all().upTo(number), number - 1, 1);
    if (found.isEmpty()) {
      throw new AnswerException(
          404, "There is no dead letter " + number + ": it is replayed, discarded or purged.");
    }
    DeadLetter letter = found.get(0);
    Payload payload = letter.envelope().payload();
    Map<String, @Nullable Object> values = row(letter.summary());
    values.put("error", letter.error());
    values.put("history", letter.history());
    values.put("headers", letter.envelope().headers());
    values.put("contentType", payload.contentType());
    values.put("bytes", payload.bytes().length);
    Reference reference = letter.envelope().reference();
    values.put(
        "reference",
        reference == null ? null : "row " + reference.id() + " of " + reference.table());
    values.put("payload", payloads ? shown(payload.bytes()) : null);
    return values;
  }

  /** As text if it is one, else as hexadecimal digits; no more than a page can show. */
  private static String shown(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + CUT;
    } catch (CharacterCodingException e) {
      int most = Math.min(bytes.length, LONGEST / 3);
      String digits = HexFormat.ofDelimiter(" ").formatHex(bytes, 0, most);
      return most == bytes.length ? digits : digits + CUT;
    }
  }

  private static Map<String, @Nullable Object> row(DeadLetter.Summary letter) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("number", letter.id().number());
    values.put("id", letter.id().message().toString());
    values.put("topic", letter.topic());
    values.put("key", letter.key() == null ? null : letter.key().value());
    values.put("reason", letter.reason().name());
    values.put("attempts", letter.attempts());
    values.put("deadSince", letter.deadSince().toEpochMilli());
    values.put("holdsKey", letter.holdsKey());
    String error = letter.error();
    values.put("error", error.length() > SHORT ? error.substring(0, SHORT) : error);
    return values;
  }

  /** A filter of a query. */
  static Filter filter(Function<String, @Nullable String> asked) {
    Filter filter = Filter.all();
    String topic = asked.apply("topic");
    String key = asked.apply("key");
    String reason = asked.apply("reason");
    String error = asked.apply("error");
    String older = asked.apply("older");
    filter = topic == null ? filter : filter.topic(topic);
    filter = key == null ? filter : filter.key(key);
    filter = reason == null ? filter : filter.reason(reason(reason));
    filter = error == null ? filter : filter.error(error);
    return older == null ? filter : filter.olderThan(minutes(older));
  }

  private static Duration minutes(String older) {
    long minutes = number("older", older);
    if (minutes < 0 || minutes > MOST_MINUTES) {
      throw new AnswerException(400, "older is no number of minutes up to " + MOST_MINUTES + ".");
    }
    return Duration.ofMinutes(minutes);
  }

  /**
   * The same of a JSON object. A job changes what it selects, so neither a misspelt name nor a
   * value of another type may select all letters.
   */
  static Filter filter(JsonNode json) {
    if (!json.isObject()) {
      throw new AnswerException(
          400, "filter is missing, or no JSON object; {} is all, its names are " + NAMES + ".");
    }
    for (String name : (Iterable<String>) json::fieldNames) {
      if (!FILTERS.contains(name)) {
        throw new AnswerException(
            400, "A filter has no '" + name + "'; its names are " + NAMES + ".");
      }
    }
    return filter(name -> json.has(name) ? value(name, json.get(name)) : null);
  }

  private static String value(String name, JsonNode value) {
    boolean isMinutes = name.equals("older") && value.isIntegralNumber();
    if (!isMinutes && !(value.isTextual() && !value.asText().isEmpty())) {
      throw new AnswerException(
          400,
          name
              + " is empty, or no text; leave out what is not asked for. A filter's names are "
              + NAMES
              + ".");
    }
    return value.asText();
  }

  private static DeadLetter.Reason reason(String reason) {
    try {
      return DeadLetter.Reason.valueOf(reason.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new AnswerException(400, "No dead letter has such a reason.");
    }
  }

  static long number(String name, String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new AnswerException(400, name + " is no number.");
    }
  }

  /** As {@code topic=mails, error=timed out}, or {@code all}; for the log. */
  static String text(Filter filter) {
    Map<String, @Nullable Object> parts = new LinkedHashMap<>();
    parts.put("topic", filter.topic());
    parts.put("key", filter.key());
    parts.put("reason", filter.reason());
    parts.put("error", filter.error());
    parts.put("olderThan", filter.olderThan());
    parts.put("upTo", filter.upTo());
    parts.values().removeIf(value -> value == null);
    String text = parts.toString();
    return parts.isEmpty() ? "all" : text.substring(1, text.length() - 1);
  }
}
