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
public record Coverage(Map<CoveredEvent, Long> counts) {
  static final Coverage NONE = new Coverage(Map.of());

  public Coverage {
    Map<CoveredEvent, Long> ordered = new EnumMap<>(CoveredEvent.class);
    ordered.putAll(counts);
    counts = Collections.unmodifiableMap(ordered);
  }

  /** How often it has happened. */
  public long of(CoveredEvent coveredEvent) {
    return counts.getOrDefault(coveredEvent, 0L);
  }

  /** Both together. */
  Coverage plus(Coverage other) {
    Map<CoveredEvent, Long> sum = new EnumMap<>(CoveredEvent.class);
    sum.putAll(counts);
    other.counts.forEach((coveredEvent, count) -> sum.merge(coveredEvent, count, Long::sum));
    return new Coverage(sum);
  }

  @Override
  public String toString() {
    return counts.entrySet().stream()
        .map(each -> each.getKey().name().toLowerCase(Locale.ROOT) + "=" + each.getValue())
        .collect(Collectors.joining(" "));
  }
}
