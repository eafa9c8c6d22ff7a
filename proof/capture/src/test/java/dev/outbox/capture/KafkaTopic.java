package dev.outbox.capture;

import dev.outbox.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Topics of a broker, read from their beginning. Stateless. */
final class KafkaTopic {
  private KafkaTopic() {}

  /** Its records have the time at which the broker appended them, where {@code appended}. */
  static void create(KafkaServer server, String topic, int partitions, boolean appended)
      throws Exception {
    Map<String, String> config =
        appended ? Map.of("message.timestamp.type", "LogAppendTime") : Map.of();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(config)))
          .all()
          .get();
    }
  }

  /** All records that are there now, partition by partition. */
  static List<ConsumerRecord<byte[], byte[]>> records(KafkaServer server, String topic) {
    Map<String, Object> config = Map.of("bootstrap.servers", server.bootstrapServers());
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(each -> new TopicPartition(topic, each.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }
}
