package dev.outbox.brokers;

import dev.outbox.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A topic of a test broker, and what a consumer sees of it. Immutable. */
record KafkaTopic(KafkaServer server, String name) {
  private static final int PARTITIONS = 8;

  /** What was appended: a key, a text, and when by the broker's clock. */
  record Arrived(String key, String text, long at) {}

  static KafkaTopic create(KafkaServer server, String name)
      throws ExecutionException, InterruptedException {
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    NewTopic topic =
        new NewTopic(name, PARTITIONS, (short) 1)
            .configs(Map.of("message.timestamp.type", "LogAppendTime"));
    try (Admin admin = Admin.create(config)) {
      admin.createTopics(List.of(topic)).all().get();
    }
    return new KafkaTopic(server, name);
  }

  /** All of it, those of a key in their order. */
  List<Arrived> arrived() {
    Map<String, Object> config =
        Map.of("bootstrap.servers", server.bootstrapServers(), "enable.auto.commit", false);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(name).stream()
              .map(each -> new TopicPartition(name, each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<Arrived> arrived = new ArrayList<>();
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(each -> arrived.add(new Arrived(each.key(), each.value(), each.timestamp())));
      }
      return arrived;
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
