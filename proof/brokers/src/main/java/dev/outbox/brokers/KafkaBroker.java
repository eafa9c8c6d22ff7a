package dev.outbox.brokers;

import dev.outbox.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.IntUnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Kafka with one topic. */
final class KafkaBroker implements TestBroker {
  private static final int PARTITIONS = 8;
  private final KafkaServer server;

  KafkaBroker(IntUnaryOperator network) throws Exception {
    server = KafkaServer.start(network);
    renew();
  }

  @Override
  public String address() {
    return server.behindTheNetwork();
  }

  @Override
  public void kill() {
    server.kill();
  }

  @Override
  public void restart() {
    server.restart();
  }

  private Map<String, Object> config() {
    return Map.of("bootstrap.servers", server.bootstrapServers(), "enable.auto.commit", false);
  }

  @Override
  public void renew() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()))) {
      if (admin.listTopics().names().get().contains(TOPIC)) {
        admin.deleteTopics(List.of(TOPIC)).all().get();
      }
      while (admin.listTopics().names().get().contains(TOPIC)) {
        Thread.sleep(10);
      }
      admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
      awaitLeaders(admin);
    }
  }

  private static void awaitLeaders(Admin admin) throws Exception {
    while (true) {
      try {
        TopicDescription topic =
            admin.describeTopics(List.of(TOPIC)).allTopicNames().get().get(TOPIC);
        if (topic != null && topic.partitions().stream().allMatch(each -> each.leader() != null)) {
          return;
        }
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
      }
      Thread.sleep(10);
    }
  }

  @Override
  public long size() {
    try (KafkaConsumer<String, String> consumer = consumer()) {
      return consumer.endOffsets(partitions(consumer)).values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  @Override
  public List<Arrived> arrived() {
    try (KafkaConsumer<String, String> consumer = consumer()) {
      List<TopicPartition> partitions = partitions(consumer);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<Arrived> arrived = new ArrayList<>();
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(100)).forEach(each -> arrived.add(arrived(each)));
      }
      return arrived;
    }
  }

  private KafkaConsumer<String, String> consumer() {
    return new KafkaConsumer<>(config(), new StringDeserializer(), new StringDeserializer());
  }

  private static List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer) {
    return consumer.partitionsFor(TOPIC).stream()
        .map(each -> new TopicPartition(TOPIC, each.partition()))
        .toList();
  }

  private static Arrived arrived(ConsumerRecord<String, String> record) {
    byte[] id = record.headers().lastHeader("message-id").value();
    return new Arrived(new String(id, StandardCharsets.UTF_8), record.key(), record.value());
  }

  @Override
  public HandSender handSender() {
    return new Sender(
        new KafkaProducer<>(
            Map.of("bootstrap.servers", address(), "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer()));
  }

  /** With the client's own settings, but for the acknowledgements. */
  private static final class Sender implements HandSender {
    private final Producer<byte[], byte[]> producer;
    private final List<Future<?>> sends = new ArrayList<>();

    Sender(Producer<byte[], byte[]> producer) {
      this.producer = producer;
    }

    @Override
    public void send(HandSender.Row row) {
      ProducerRecord<byte[], byte[]> record =
          new ProducerRecord<>(
              row.topic(), row.key() == null ? null : utf8(row.key()), row.payload());
      record.headers().add("message-id", utf8(row.id().toString()));
      record.headers().add("content-type", utf8(row.contentType()));
      sends.add(producer.send(record));
    }

    /** A flush first, or the last would wait for {@code linger.ms}. */
    @Override
    public void await() throws Exception {
      producer.flush();
      for (Future<?> send : sends) {
        send.get();
      }
      sends.clear();
    }

    @Override
    public void close() {
      producer.close();
    }

    private static byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
