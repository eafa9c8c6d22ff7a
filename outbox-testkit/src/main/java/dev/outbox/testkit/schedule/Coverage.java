package dev.outbox.testkit.schedule;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How often each event has happened.
 *
 * <p>Immutable.
 */
public record Coverage(Map<CoveredEvent, Long> counts) {
  public Coverage {
    Map<CoveredEvent, Long> ordered = new EnumMap<>(CoveredEvent.class);
    ordered.putAll(counts);
    counts = Collections.unmodifiableMap(ordered);
  }

  @Override
  public String toString() {
    return counts.entrySet().stream()
        .map(each -> each.getKey().name().toLowerCase(Locale.ROOT) + "=" + each.getValue())
        .collect(Collectors.joining(" "));
  }
}
