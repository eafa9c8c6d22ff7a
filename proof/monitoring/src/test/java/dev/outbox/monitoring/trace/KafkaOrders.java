package dev.outbox.monitoring.trace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outbox.brokers.TestBroker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;

/** By Kafka's consumer. */
final class KafkaOrders implements Orders {
  private final Consumer<String, String> consumer;
  private final CompletableFuture<Void> receiving;

  KafkaOrders(String address, Handler handler) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers", address, "group.id", "billing", "auto.offset.reset", "earliest");
    consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    receiving = CompletableFuture.runAsync(() -> receive(handler));
  }

  private void receive(Handler handler) {
    try (consumer) {
      consumer.subscribe(List.of(TestBroker.TOPIC));
      while (true) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofSeconds(1))) {
          handler.handle(record.topic(), headers(record), record.value());
        }
      }
    } catch (WakeupException closed) {
      return;
    }
  }

  private static Map<String, String> headers(ConsumerRecord<String, String> record) {
    Map<String, String> headers = new HashMap<>();
    record.headers().forEach(each -> headers.put(each.key(), new String(each.value(), UTF_8)));
    return headers;
  }

  @Override
  public void close() {
    consumer.wakeup();
    receiving.join();
  }
}
