package dev.outbox.kafka;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.spi.OutboxStore;
import java.net.URI;
import java.util.Map;

/** The code of docs/brokers/kafka.md. */
final class KafkaPage {
  private KafkaPage() {}

  /** Five lines to start. */
  static Outbox start(OutboxStore store) {
    KafkaPublisher kafka = KafkaPublisher.create(Map.of("bootstrap.servers", "localhost:9092"));
    Relay relay = Relay.builder(store, kafka).owns(kafka).start();
    Outbox outbox = Outbox.builder(store).limits(KafkaPublisher.limits()).build();
    relay.close();
    return outbox;
  }

  /** Another topic, and CloudEvents. */
  static KafkaPublisher mapped(Map<String, Object> config) {
    KafkaPublisher kafka =
        KafkaPublisher.builder(config)
            .topic(envelope -> "shop." + envelope.topic())
            .cloudEvents(URI.create("https://shop.example/orders"))
            .build();
    return kafka;
  }
}
