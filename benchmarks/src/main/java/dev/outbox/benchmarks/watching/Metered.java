package dev.outbox.benchmarks.watching;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.micrometer.OutboxMetrics;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

/**
 * All metrics, in a registry of Prometheus.
 *
 * <p>Safe for use by many threads.
 */
public final class Metered implements Watching {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final OutboxMetrics metrics;

  public Metered(OutboxStore store) {
    metrics = OutboxMetrics.create(store);
    metrics.bindTo(registry);
  }

  @Override
  public void watch(Outbox.Builder outbox) {
    outbox.observer(metrics);
  }

  @Override
  public Publisher watch(Publisher publisher) {
    return publisher.observed(metrics);
  }

  @Override
  public void watch(Relay.Builder relay) {
    relay.listener(metrics);
  }

  @Override
  public void started(Relay relay) {
    metrics.watch(relay);
  }

  @Override
  public void close() {
    metrics.close();
    registry.close();
  }
}
