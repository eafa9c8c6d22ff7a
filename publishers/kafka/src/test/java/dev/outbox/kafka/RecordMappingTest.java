package dev.outbox.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.MessageLimits;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import dev.outbox.publish.CloudEvents;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordMappingTest {
  private static final MessageId ID = MessageId.parse("019aadb1-9c00-7000-8000-000000000001");
  private static final String TIME = ID.madeAt().orElseThrow().toString();
  private static final URI SHOP = URI.create("/shop");
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final RecordMapping BINARY =
      new RecordMapping(Envelope::topic, CloudEvents.binary(SHOP));
  private static final RecordMapping STRUCTURED =
      new RecordMapping(Envelope::topic, CloudEvents.structured(SHOP));

  private static Envelope envelope(@Nullable String key, String type, String text) {
    return envelope("orders.placed", key, Map.of("traceparent", TRACE, "tenant", "Ä"), type, text);
  }

  private static Envelope envelope(
      String topic, @Nullable String key, Map<String, String> headers, String type, String text) {
    return new Envelope(
        ID,
        topic,
        key == null ? null : new Key(key),
        headers,
        new Payload(type, text.getBytes(StandardCharsets.UTF_8)),
        null);
  }

  private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
    }
    return headers;
  }

  private static String value(ProducerRecord<byte[], byte[]> record) {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  @Test
  void a_plain_record_has_key_payload_headers_id_content_type_and_time() {
    ProducerRecord<byte[], byte[]> record =
        record(RecordMapping.PLAIN, envelope("ключ", "application/json", "{}"));

    assertThat(record.topic()).isEqualTo("orders.placed");
    assertThat(record.partition()).isNull();
    assertThat(new String(record.key(), StandardCharsets.UTF_8)).isEqualTo("ключ");
    assertThat(value(record)).isEqualTo("{}");
    assertThat(record.timestamp()).isEqualTo(ID.madeAt().orElseThrow().toEpochMilli());
    assertThat(headers(record))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "message-id",
                ID.toString(),
                "content-type",
                "application/json",
                "traceparent",
                TRACE,
                "tenant",
                "Ä"));
  }

  @Test
  void without_a_key_the_record_has_none_and_an_empty_payload_is_no_tombstone() {
    ProducerRecord<byte[], byte[]> record =
        record(RecordMapping.PLAIN, envelope(null, "text/plain", ""));

    assertThat(record.key()).isNull();
    assertThat(record.value()).isEmpty();
  }

  @Test
  void another_topic_can_be_named() {
    RecordMapping mapping = new RecordMapping(envelope -> "shop." + envelope.topic(), null);

    assertThat(record(mapping, envelope("42", "text/plain", "x")).topic())
        .isEqualTo("shop.orders.placed");
  }

  @Test
  void a_binary_CloudEvent_has_its_attributes_in_headers() {
    ProducerRecord<byte[], byte[]> record =
        record(BINARY, envelope("42", "application/json", "{\"a\":1}"));

    assertThat(value(record)).isEqualTo("{\"a\":1}");
    assertThat(headers(record))
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("ce_specversion", "1.0"),
                Map.entry("ce_id", ID.toString()),
                Map.entry("ce_source", "/shop"),
                Map.entry("ce_type", "orders.placed"),
                Map.entry("ce_time", TIME),
                Map.entry("ce_partitionkey", "42"),
                Map.entry("ce_traceparent", TRACE),
                Map.entry("content-type", "application/json"),
                Map.entry("traceparent", TRACE),
                Map.entry("tenant", "Ä")));
  }

  @Test
  void a_structured_CloudEvent_is_one_JSON_text() {
    ProducerRecord<byte[], byte[]> record =
        record(STRUCTURED, envelope("42", "application/json", "{\"a\":1.00}"));

    assertThat(value(record))
        .isEqualTo(
            "{\"specversion\":\"1.0\",\"id\":\"%s\",\"source\":\"/shop\",\"type\":\"orders.placed\",\"time\":\"%s\",\"partitionkey\":\"42\",\"traceparent\":\"%s\",\"datacontenttype\":\"application/json\",\"data\":{\"a\":1.00}}"
                .formatted(ID, TIME, TRACE));
    assertThat(headers(record))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "content-type", "application/cloudevents+json; charset=UTF-8",
                "traceparent", TRACE,
                "tenant", "Ä"));
  }

  @Test
  void text_is_a_JSON_string_and_other_bytes_are_Base64_in_a_structured_CloudEvent() {
    assertThat(value(record(STRUCTURED, envelope(null, "text/plain; charset=utf-8", "a\"b\n"))))
        .endsWith("\"datacontenttype\":\"text/plain; charset=utf-8\",\"data\":\"a\\\"b\\n\"}");
    assertThat(value(record(STRUCTURED, envelope(null, "application/octet-stream", "abc"))))
        .endsWith("\"data_base64\":\"YWJj\"}");
    assertThat(value(record(STRUCTURED, envelope(null, "application/vnd.shop+json", "[1]"))))
        .endsWith("\"data\":[1]}");
  }

  @Test
  void what_says_that_it_is_JSON_and_is_not_is_refused_in_a_structured_CloudEvent() {
    for (String text : new String[] {"", "placed", "{\"a\":1", "{},\"id\":\"x\"", "{} {}"}) {
      assertThatThrownBy(() -> record(STRUCTURED, envelope(null, "application/json", text)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "payload of content type application/json is not JSON; give its own content type to bytes(..), or publish binary CloudEvents");
    }
    MessageLimits limits = new RecordLimits(STRUCTURED, 1000);
    assertThat(limits.refusal(envelope(null, "application/json", "placed")))
        .contains("is not JSON");
  }

  @Test
  void limits_name_what_Kafka_cannot_hold() {
    MessageLimits limits = KafkaPublisher.limits();

    assertThat(limits.refusal(envelope("42", "text/plain", "x"))).isNull();
    assertThat(limits.refusal(envelope("orders/placed", "42", Map.of(), "text/plain", "x")))
        .isEqualTo(
            "topic is 'orders/placed', Kafka takes 1 to 249 letters, digits, dots, hyphens and underscores;"
                + " rename it, or map it with KafkaPublisher.builder(config).topic(..)");
    assertThat(limits.refusal(envelope("..", "42", Map.of(), "text/plain", "x")))
        .startsWith("topic is '..'");
    assertThat(limits.refusal(envelope("t".repeat(250), "42", Map.of(), "text/plain", "x")))
        .startsWith("topic is 'ttt");
    assertThat(limits.refusal(envelope("t", "4", Map.of("message-id", "7"), "text/plain", "x")))
        .isEqualTo("header 'message-id' has the name of one that the publisher sets; rename it");
    assertThat(limits.refusal(envelope("42", "text/plain", "x".repeat(1024 * 1024))))
        .matches(
            "record of topic orders.placed has 104\\d{4} bytes, max.request.size is 1048576;"
                + " raise it and the topic's max.message.bytes, make the payload smaller, or put it"
                + " into a store of your own and send its address");
  }

  @Test
  void limits_follow_the_mapping_and_the_configuration() {
    KafkaPublisher.Builder builder =
        KafkaPublisher.builder(Map.of("max.request.size", "400"))
            .topic(envelope -> "shop." + envelope.topic())
            .cloudEvents(CloudEvents.binary(SHOP));

    assertThat(builder.limits().refusal(envelope("t", "4", Map.of("message-id", "7"), "a/b", "x")))
        .isNull();
    assertThat(builder.limits().refusal(envelope("t", "4", Map.of("ce_id", "7"), "a/b", "x")))
        .startsWith("header 'ce_id'");
    assertThat(
            builder.limits().refusal(envelope("t".repeat(245), "4", Map.of(), "text/plain", "x")))
        .startsWith("topic is 'shop.ttt");
    assertThat(builder.limits().refusal(envelope("42", "text/plain", "x".repeat(400))))
        .contains("max.request.size is 400");
  }

  @Test
  void the_record_of_a_message_can_be_had_without_sending_it() {
    KafkaPublisher.Builder builder =
        KafkaPublisher.builder(Map.of("max.request.size", "600"))
            .topic(envelope -> "shop." + envelope.topic())
            .cloudEvents(CloudEvents.binary(SHOP));

    ProducerRecord<byte[], byte[]> record = builder.record(envelope("42", "text/plain", "x"));
    assertThat(record.topic()).isEqualTo("shop.orders.placed");
    assertThat(headers(record)).containsEntry("ce_id", ID.toString());
    assertThatThrownBy(
            () -> builder.record(envelope("t", "4", Map.of("ce_id", "7"), "text/plain", "x")))
        .hasMessageStartingWith("header 'ce_id'");
    assertThatThrownBy(() -> builder.record(envelope("42", "text/plain", "x".repeat(600))))
        .hasMessageContaining("max.request.size is 600");
  }

  @Test
  void the_payload_of_a_reference_is_not_known_at_enqueue() {
    Envelope reference =
        new Envelope(
            ID,
            "mails",
            null,
            Map.of(),
            Reference.UNRESOLVED,
            null,
            new Reference("mail_deliveries", "7"));

    assertThat(new RecordLimits(STRUCTURED, 10).refusal(reference)).isNull();
  }

  private static ProducerRecord<byte[], byte[]> record(RecordMapping mapping, Envelope envelope) {
    return mapping.record(envelope, mapping.topic(envelope));
  }
}
