package dev.outbox.opentelemetry;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.opentelemetry.OutboxTracing.Processing;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.OutboxStore;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Map;

/** What docs/tracing.md shows. */
final class TracedShop {
  final Outbox outbox;
  final Relay relay;
  private final OutboxTracing tracing;

  TracedShop(OutboxStore store, Publisher publisher, OpenTelemetry openTelemetry) {
    tracing = OutboxTracing.builder(openTelemetry).system("kafka").build();
    outbox = Outbox.builder(store).observer(tracing).build();
    relay = Relay.builder(store, publisher.observed(tracing)).start();
  }

  void received(String topic, Map<String, String> headers, Runnable handler) {
    try (Processing processing = tracing.process(topic, headers)) {
      try {
        handler.run();
      } catch (RuntimeException e) {
        processing.failed(e);
        throw e;
      }
    }
  }
}
