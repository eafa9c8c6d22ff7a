package dev.outbox.kafka;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.publish.CloudEvents;
import dev.outbox.spi.OutboxStore;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

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
            .cloudEvents(CloudEvents.binary(URI.create("https://shop.example/orders")))
            .build();
    return kafka;
  }

  /** A login over TLS. */
  static Map<String, Object> secured(String servers, Path certificate, String password) {
    String login = "org.apache.kafka.common.security.scram.ScramLoginModule required";
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", servers);
    config.put("security.protocol", "SASL_SSL");
    config.put("sasl.mechanism", "SCRAM-SHA-512"); // or PLAIN, with PlainLoginModule
    config.put(
        "sasl.jaas.config", "%s username=\"shop\" password=\"%s\";".formatted(login, password));
    config.put("ssl.truststore.type", "PEM"); // leave these two out for a public certificate
    config.put("ssl.truststore.location", certificate.toString());
    return config;
  }

  /** Turns an empty payload into a tombstone: set it by {@code interceptor.classes}. */
  public static final class Tombstones implements ProducerInterceptor<byte[], byte[]> {
    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> sent) {
      return sent.value().length > 0
          ? sent
          : new ProducerRecord<>(
              sent.topic(), null, sent.timestamp(), sent.key(), null, sent.headers());
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception thrown) {}

    @Override
    public void configure(Map<String, ?> config) {}

    @Override
    public void close() {}
  }
}
