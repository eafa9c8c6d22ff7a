package dev.outbox.testkit.schedule;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How often what has happened.
 *
 * <p>Immutable.
 */
public record Coverage(Map<Happening, Long> counts) {
  static final Coverage NONE = new Coverage(Map.of());

  public Coverage {
    Map<Happening, Long> ordered = new EnumMap<>(Happening.class);
    ordered.putAll(counts);
    counts = Collections.unmodifiableMap(ordered);
  }

  /** How often it has happened. */
  public long of(Happening happening) {
    return counts.getOrDefault(happening, 0L);
  }

  /** Both together. */
  Coverage plus(Coverage other) {
    Map<Happening, Long> sum = new EnumMap<>(Happening.class);
    sum.putAll(counts);
    other.counts.forEach((happening, count) -> sum.merge(happening, count, Long::sum));
    return new Coverage(sum);
  }

  @Override
  public String toString() {
    return counts.entrySet().stream()
        .map(each -> each.getKey().name().toLowerCase(Locale.ROOT) + "=" + each.getValue())
        .collect(Collectors.joining(" "));
  }
}
