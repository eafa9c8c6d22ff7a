package dev.outbox.micrometer;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What Prometheus would read at one moment. */
record Scrape(List<String> lines) {
  static Scrape of(PrometheusMeterRegistry registry) {
    return new Scrape(registry.scrape().lines().toList());
  }

  /** The value of a series, as {@code outbox_enqueued_total{topic="orders"}}. */
  double value(String series) {
    return lines.stream()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> Double.valueOf(line.substring(series.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + series + " in\n" + this));
  }

  boolean has(String series) {
    return lines.stream().anyMatch(line -> line.startsWith(series + " "));
  }

  /** The names of all series, with what Prometheus adds to those of timers. */
  Set<String> names() {
    return lines.stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.replaceAll("[{ ].*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
