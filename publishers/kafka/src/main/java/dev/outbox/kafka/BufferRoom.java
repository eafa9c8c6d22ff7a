package dev.outbox.kafka;

import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/**
 * Whether a send of a producer would find room at once, as its own metrics say.
 *
 * <p>Safe for use by many threads.
 */
final class BufferRoom {
  /** More sends of the largest record than other threads begin between the look and the send. */
  private static final long SENDS = 16;

  private final @Nullable Metric available;
  private final long ample;

  private BufferRoom(@Nullable Metric available, long ample) {
    this.available = available;
    this.ample = ample;
  }

  static BufferRoom of(Producer<?, ?> producer, int largest) {
    return new BufferRoom(metric(producer, "buffer-available-bytes"), SENDS * largest);
  }

  /** One of a whole producer, or null. */
  static @Nullable Metric metric(Producer<?, ?> producer, String name) {
    Map<MetricName, ? extends Metric> metrics = producer.metrics();
    return metrics.entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .filter(each -> each.getKey().group().equals("producer-metrics"))
        .<Metric>map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  /** True while so much is free that a send will surely not wait. */
  boolean isAmple() {
    return available != null
        && available.metricValue() instanceof Number bytes
        && bytes.doubleValue() >= ample;
  }
}
