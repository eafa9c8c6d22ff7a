package dev.outbox.kafka;

import dev.outbox.message.MessageId;
import dev.outbox.servers.KafkaServer;
import dev.outbox.testkit.contract.Received;
import dev.outbox.testkit.network.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The broker of all test classes of this JVM, behind a network that a test can break. */
final class TestBroker {
  private static final int PARTITIONS = 4;
  private static TestBroker only;

  final KafkaServer server;
  final TcpProxy network;
  private final Admin admin;

  private TestBroker() {
    TcpProxy[] proxy = new TcpProxy[1];
    this.server =
        KafkaServer.start(
            port -> {
              proxy[0] = TcpProxy.to("127.0.0.1", port);
              return proxy[0].port();
            });
    this.network = proxy[0];
    this.admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()));
  }

  static synchronized TestBroker get() {
    if (only == null) {
      only = new TestBroker();
    }
    return only;
  }

  Admin admin() {
    return admin;
  }

  String newTopic(Map<String, String> config) throws Exception {
    return newTopic(config, 1);
  }

  String newTopic(Map<String, String> config, int replicas) throws Exception {
    String topic = "orders." + UUID.randomUUID();
    admin
        .createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) replicas).configs(config)))
        .all()
        .get();
    return topic;
  }

  void deleteTopic(String topic) throws Exception {
    admin.deleteTopics(List.of(topic)).all().get();
  }

  /** All records of a topic, partition by partition. */
  List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", server.bootstrapServers(), "enable.auto.commit", false);
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

  static Received received(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = headers(record);
    String id = headers.getOrDefault("message-id", headers.get("ce_id"));
    String key = record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8);
    return new Received(MessageId.parse(id), key, headers, record.value());
  }

  static Map<String, String> headers(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    return headers;
  }
}
