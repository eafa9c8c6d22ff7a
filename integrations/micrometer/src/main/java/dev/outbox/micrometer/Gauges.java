package dev.outbox.micrometer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Registers gauges in one registry, each in the place of one that was left by a relay or a store
 * before: a registry keeps the first of two.
 *
 * <p>Safe for use by many threads. A registry does not keep what is gauged in memory, if {@code
 * value} does not.
 */
record Gauges(MeterRegistry registry, Tags tags) {
  <T> void number(String name, String description, Tags more, T gauged, ToDoubleFunction<T> value) {
    Tags all = tags.and(more);
    clear(name, all, Meter.Type.GAUGE);
    Gauge.builder(name, gauged, value).description(description).tags(all).register(registry);
  }

  <T> void seconds(String name, String description, T gauged, ToDoubleFunction<T> value) {
    clear(name, tags, Meter.Type.GAUGE);
    TimeGauge.builder(name, gauged, TimeUnit.SECONDS, value)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  /** Makes room for another meter of that name. */
  void clear(String name, Tags all, Meter.Type type) {
    registry.removeByPreFilterId(new Meter.Id(name, all, null, null, type));
  }
}
