package dev.outbox.capture;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The engine of Debezium that sends to Kafka until its input ends: servers, and the file of its
 * settings.
 */
public final class EngineMain {
  private EngineMain() {}

  public static void main(String[] args) throws Exception {
    Properties settings = new Properties();
    try (InputStream file = new FileInputStream(args[1])) {
      settings.load(file);
    }
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                args[0],
                "acks",
                "all",
                "enable.idempotence",
                true,
                "linger.ms",
                0),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      run(settings, producer);
    }
  }

  private static void run(Properties settings, Producer<byte[], byte[]> producer) throws Exception {
    DebeziumEngine<RecordChangeEvent<SourceRecord>> engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(settings)
            .notifying((batch, committer) -> send(batch, committer, producer))
            .build();
    Thread thread = new Thread(engine, "engine");
    thread.start();
    System.in.transferTo(System.out);
    engine.close();
    thread.join();
  }

  /** What is marked as processed was acknowledged by Kafka; a batch that fails comes again. */
  static void send(
      List<RecordChangeEvent<SourceRecord>> batch,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
      Producer<byte[], byte[]> producer)
      throws InterruptedException {
    Map<Object, Future<?>> lastOfKey = new HashMap<>();
    for (RecordChangeEvent<SourceRecord> event : batch) {
      if (!event.record().topic().startsWith("__debezium-heartbeat")) {
        ProducerRecord<byte[], byte[]> message = message(event.record());
        Object key = message.key() == null ? event : ByteBuffer.wrap(message.key());
        if (lastOfKey.containsKey(key)) {
          awaitTaken(lastOfKey.get(key)); // or Kafka might take this one and not that
        }
        lastOfKey.put(key, producer.send(message));
      }
    }
    for (Future<?> send : lastOfKey.values()) {
      awaitTaken(send);
    }
    for (RecordChangeEvent<SourceRecord> event : batch) {
      committer.markProcessed(event);
    }
    committer.markBatchFinished();
  }

  private static void awaitTaken(Future<?> send) throws InterruptedException {
    try {
      send.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka has refused a record", e.getCause());
    }
  }

  private static ProducerRecord<byte[], byte[]> message(SourceRecord made) {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            made.topic(), null, made.timestamp(), (byte[]) made.key(), (byte[]) made.value());
    made.headers()
        .forEach(
            header ->
                record
                    .headers()
                    .add(header.key(), ((String) header.value()).getBytes(StandardCharsets.UTF_8)));
    return record;
  }
}
