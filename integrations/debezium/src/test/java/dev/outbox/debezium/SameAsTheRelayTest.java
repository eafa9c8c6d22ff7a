package dev.outbox.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Outbox;
import dev.outbox.Relay;
import dev.outbox.kafka.KafkaPublisher;
import dev.outbox.message.Message;
import dev.outbox.message.MessageId;
import dev.outbox.publish.CloudEvents;
import dev.outbox.testkit.InMemoryStore;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a relay with the publisher to Kafka sends, and what the transformation makes of the row. */
class SameAsTheRelayTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final Map<String, String> HEADERS =
      Map.of("traceparent", TRACE, "tenant", "\u00C4\u8A9E \"\\\n", "number", "007");
  private static final byte[] BYTES = {0, -1, 1, 127};

  private final SimpleHeaderConverter headerConverter = new SimpleHeaderConverter();

  @Test
  void a_plain_record() throws Exception {
    same(Map.of(), UnaryOperator.identity());
  }

  @Test
  void a_binary_CloudEvent() throws Exception {
    same(
        Map.of("cloudevents", "binary", "cloudevents.source", "/shop"),
        builder -> builder.cloudEvents(CloudEvents.binary(URI.create("/shop"))));
  }

  @Test
  void a_structured_CloudEvent() throws Exception {
    same(
        Map.of("cloudevents", "STRUCTURED", "cloudevents.source", "/shop"),
        builder -> builder.cloudEvents(CloudEvents.structured(URI.create("/shop"))));
  }

  private void same(
      Map<String, String> settings, UnaryOperator<KafkaPublisher.Builder> publisherSettings)
      throws Exception {
    List<ProducerRecord<byte[], byte[]>> sent = sentByRelay(publisherSettings);
    RowToMessage<SourceRecord> transformation = new RowToMessage<>();
    transformation.configure(settings);

    assertSame(
        transformation,
        row(sent.get(0), "42", "application/json", utf8("{\"a\":1.00}")),
        sent.get(0));
    assertSame(transformation, row(sent.get(1), "\u00C4", "a/b", BYTES), sent.get(1));
    assertSame(
        transformation, row(sent.get(2), null, "text/plain; charset=utf-8", utf8("")), sent.get(2));
  }

  private static List<ProducerRecord<byte[], byte[]>> sentByRelay(
      UnaryOperator<KafkaPublisher.Builder> settings) throws Exception {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    KafkaPublisher kafka = settings.apply(KafkaPublisher.builder(producer)).build();
    InMemoryStore store = InMemoryStore.create();
    Outbox outbox = Outbox.create(store);
    try (Relay relay = Relay.builder(store, kafka).start();
        Connection transaction = store.begin()) {
      outbox.enqueue(transaction, message().key("42").json("{\"a\":1.00}"));
      transaction.commit();
      await(relay, outbox, 1);
      outbox.enqueue(transaction, message().key("\u00C4").bytes(BYTES, "a/b"));
      transaction.commit();
      await(relay, outbox, 2);
      outbox.enqueue(transaction, message().text(""));
      transaction.commit();
      await(relay, outbox, 3);
    }
    return producer.history();
  }

  private static Message.Draft message() {
    return Message.to("orders.placed").headers(HEADERS);
  }

  private static void await(Relay relay, Outbox outbox, int delivered) throws Exception {
    outbox.wake();
    while (relay.status().counts().delivered() < delivered) {
      assertThat(relay.status().failing()).isEmpty();
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** The row of the message that was sent. */
  private static Map<String, Object> row(
      ProducerRecord<byte[], byte[]> sent, @Nullable String key, String type, byte[] payload) {
    Map<String, Object> row = new HashMap<>();
    row.put("lane", 7);
    row.put("id", 4711L);
    row.put("message_id", id(sent));
    row.put("topic", "orders.placed");
    if (key != null) {
      row.put("msg_key", key);
    }
    row.put(
        "headers",
        "{\"traceparent\":\"%s\",\"tenant\":\"\u00C4\u8A9E \\\"\\\\\\n\",\"number\":\"007\"}"
            .formatted(TRACE));
    row.put("content_type", type);
    row.put("payload", ByteBuffer.wrap(payload));
    return row;
  }

  private static String id(ProducerRecord<byte[], byte[]> sent) {
    Header plain = sent.headers().lastHeader("message-id");
    Header event = sent.headers().lastHeader("ce_id");
    if (plain != null || event != null) {
      return text((plain == null ? event : plain).value());
    }
    String body = text(sent.value());
    int at = body.indexOf("\"id\":\"") + 6;
    return body.substring(at, at + 36);
  }

  private void assertSame(
      RowToMessage<SourceRecord> transformation,
      Map<String, Object> row,
      ProducerRecord<byte[], byte[]> sent) {
    String id = (String) row.get("message_id");
    SourceRecord asText = transformation.apply(Rows.inserted(row));
    row.put("message_id", MessageId.parse(id).toBytes());
    SourceRecord asBytes = transformation.apply(Rows.inserted(row));

    for (SourceRecord made : List.of(asText, asBytes)) {
      assertThat(made.topic()).isEqualTo(sent.topic());
      assertThat(made.kafkaPartition()).isNull();
      assertThat((byte[]) made.key()).isEqualTo(sent.key());
      assertThat((byte[]) made.value()).isEqualTo(sent.value());
      assertThat(made.timestamp()).isEqualTo(sent.timestamp()).isNotNull();
      assertThat(headers(made)).containsExactlyInAnyOrderElementsOf(headers(sent));
      assertThat(made.sourceOffset()).isEqualTo(Rows.POSITION);
    }
  }

  /** As Connect writes them where {@code header.converter} is not set. */
  private List<String> headers(SourceRecord made) {
    List<String> headers = new ArrayList<>();
    made.headers()
        .forEach(
            header ->
                headers.add(
                    header.key()
                        + "="
                        + text(
                            headerConverter.fromConnectHeader(
                                made.topic(), header.key(), header.schema(), header.value()))));
    return headers;
  }

  private static List<String> headers(ProducerRecord<byte[], byte[]> sent) {
    List<String> headers = new ArrayList<>();
    sent.headers().forEach(header -> headers.add(header.key() + "=" + text(header.value())));
    return headers;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
