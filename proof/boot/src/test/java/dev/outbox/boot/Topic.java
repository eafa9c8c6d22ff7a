package dev.outbox.boot;

import dev.outbox.servers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What is in a topic of Kafka, read from its beginning. */
record Topic(KafkaServer kafka, String name) {
  private static final int PARTITIONS = 3;

  static Topic create(KafkaServer kafka, String name)
      throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(name, PARTITIONS, (short) 1))).all().get();
    }
    return new Topic(kafka, name);
  }

  /** All keys that are there now. */
  List<String> keys() {
    return records().stream().map(ConsumerRecord::key).toList();
  }

  List<ConsumerRecord<String, String>> records() {
    Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          IntStream.range(0, PARTITIONS).mapToObj(each -> new TopicPartition(name, each)).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long all = consumer.endOffsets(partitions).values().stream().mapToLong(end -> end).sum();
      List<ConsumerRecord<String, String>> found = new ArrayList<>();
      while (found.size() < all) {
        consumer.poll(Duration.ofSeconds(1)).forEach(found::add);
      }
      return found;
    }
  }
}
