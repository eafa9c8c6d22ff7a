package dev.outbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.publish.CloudEvents;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;

/** How a message is mapped, and what is refused because SQS has no place for it. */
class SqsMappingTest {
  private static Envelope envelope(Map<String, String> headers, String text) {
    return TestQueues.message(
        "orders", "42", headers, "text/plain", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void text_is_the_body_and_headers_are_attributes() {
    Envelope envelope = envelope(Map.of("tenant", "acme"), "größe\n");
    SqsMapping.Content content = SqsMapping.PLAIN.content(envelope);
    assertThat(content.body()).isEqualTo("größe\n");
    assertThat(content.attributes())
        .isEqualTo(
            Map.of(
                "message-id", envelope.id().toString(),
                "message-topic", "orders",
                "message-key", "42",
                "content-type", "text/plain",
                "tenant", "acme"));
  }

  @Test
  void other_bytes_are_Base64_and_nothing_is_a_word() {
    Envelope binary = TestQueues.message("orders", null, new byte[] {0, -1});
    assertThat(SqsMapping.PLAIN.content(binary).body()).isEqualTo("AP8=");
    assertThat(SqsMapping.PLAIN.content(binary).attributes())
        .containsEntry("payload-encoding", "base64")
        .doesNotContainKey("message-key");
    assertThat(SqsMapping.PLAIN.content(envelope(Map.of(), "a\u0001")).body()).isEqualTo("YQE=");
    SqsMapping.Content empty = SqsMapping.PLAIN.content(envelope(Map.of(), ""));
    assertThat(empty.body()).isEqualTo("empty");
    assertThat(empty.attributes()).containsEntry("payload-encoding", "empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "AWS.x", "amazon.y", ".a", "a..b", "a.", "é"})
  void a_header_that_is_no_attribute_packs_all_of_them(String name) {
    Map<String, String> headers = Map.of(name, "x", "tenant", "acme");
    assertThat(SqsMapping.PLAIN.content(envelope(headers, "x")).attributes())
        .containsKey("message-headers")
        .doesNotContainKey("tenant");
  }

  @Test
  void more_than_ten_attributes_are_packed() {
    Map<String, String> headers = new HashMap<>();
    for (int number = 0; number < 6; number++) {
      headers.put("h" + number, "x");
    }
    assertThat(SqsMapping.PLAIN.content(envelope(headers, "x")).attributes()).hasSize(10);
    headers.put("h6", "x");
    assertThat(SqsMapping.PLAIN.content(envelope(headers, "x")).attributes())
        .hasSize(5)
        .containsKey("message-headers");
    assertThat(SqsText.json(Map.of("a\"\n", "木"))).isEqualTo("{\"a\\\"\\u000a\":\"\\u6728\"}");
  }

  @Test
  void the_headers_of_a_trace_are_sent_once_as_attributes_when_the_others_are_packed() {
    Map<String, String> headers = new HashMap<>(Map.of("traceparent", "00-1-2-01", "a b", "x"));
    Map<String, String> sent = SqsMapping.PLAIN.content(envelope(headers, "")).attributes();
    assertThat(sent)
        .containsEntry("traceparent", "00-1-2-01")
        .doesNotContainKeys("tracestate", "a b");
    assertThat(sent).containsEntry("message-headers", "{\"a b\":\"x\"}");
    headers.put("tracestate", "vendor=1");
    Map<String, String> most = SqsMapping.PLAIN.content(envelope(headers, "")).attributes();
    assertThat(most)
        .containsEntry("tracestate", "vendor=1")
        .containsEntry("message-headers", "{\"a b\":\"x\"}")
        .hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void a_header_of_a_trace_that_is_no_attribute_is_packed() {
    Map<String, String> headers = Map.of("traceparent", "00-1-2-01", "tracestate", "");
    assertThat(SqsMapping.PLAIN.content(envelope(headers, "x")).attributes())
        .containsEntry("traceparent", "00-1-2-01")
        .containsEntry("message-headers", "{\"tracestate\":\"\"}")
        .doesNotContainKey("tracestate");
  }

  @Test
  void in_a_FIFO_queue_the_key_is_the_group_and_the_id_drops_repeats() {
    Envelope envelope = envelope(Map.of(), "x");
    SqsMapping.Content content = SqsMapping.PLAIN.content(envelope);
    SendMessageBatchRequestEntry entry = SqsMapping.entry(envelope, content, true, "0");
    assertThat(entry.messageGroupId()).isEqualTo("42");
    assertThat(entry.messageDeduplicationId()).isEqualTo(envelope.id().toString());
    assertThat(SqsMapping.entry(envelope, content, false, "0").messageGroupId()).isNull();
    Envelope keyless = TestQueues.message("orders", null, new byte[1]);
    assertThat(SqsMapping.entry(keyless, content, true, "0").messageGroupId())
        .isEqualTo(keyless.id().toString());
  }

  @Test
  void a_key_that_is_no_group_has_a_digest() {
    assertThat(SqsText.group("k".repeat(128))).isEqualTo("k".repeat(128));
    for (String key : new String[] {"k".repeat(129), "a b", "ключ"}) {
      assertThat(SqsText.group(key)).matches("sha256:[A-Za-z0-9_-]{43}");
    }
    assertThat(SqsText.group("a b")).isNotEqualTo(SqsText.group("a  b"));
  }

  @Test
  void limits_name_what_SQS_cannot_hold() {
    assertThat(SqsPublisher.limits().refusal(envelope(Map.of(), "x"))).isNull();
    assertThat(SqsPublisher.limits().refusal(envelope(Map.of("message-id", "7"), "x")))
        .isEqualTo("header 'message-id' has the name of one that the publisher sets; rename it");
    assertThat(
            SqsPublisher.limits().refusal(TestQueues.message("orders.placed", null, new byte[0])))
        .startsWith("queue is 'orders.placed', SQS takes");
    assertThat(SqsPublisher.limits().refusal(TestQueues.message("a.fifo", null, new byte[0])))
        .isNull();
    assertThat(SqsPublisher.limits().refusal(TestQueues.message("a", null, new byte[800_000])))
        .matches(
            "body and attributes have 1066\\d{3} bytes, maxMessageSize is 1048576; make the payload.*");
  }

  @Test
  void what_cannot_work_is_refused_at_the_call() {
    try (SqsAsyncClient client = TestQueues.at(1)) {
      SqsPublisher.Builder builder = SqsPublisher.builder(client);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.cloudEvents(CloudEvents.binary(URI.create("/s"))))
          .withMessageContaining("no binary mode for SQS");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.maxMessageSize(1023))
          .withMessage("maxMessageSize is 1023, it must be 1024 to 1048576");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.requestsAtOnce(0))
          .withMessage("requestsAtOnce is 0, the minimum is 1");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> builder.publishDeadline(Duration.ofMillis(999)))
          .withMessage("publishDeadline is PT0.999S, the minimum is PT1S");
    }
  }

  @Test
  void a_window_is_declared_for_a_FIFO_queue_only() {
    try (SqsAsyncClient client = TestQueues.at(1)) {
      assertThat(SqsPublisher.builder(client).queue("a.fifo").build().brokerGuarantees())
          .hasToString("drops repeats for PT5M, REPLICATED");
      assertThat(SqsPublisher.builder(client).queue("a.fifo").queue("a").build().brokerGuarantees())
          .hasToString("REPLICATED");
      assertThat(SqsPublisher.create(client).brokerGuarantees()).hasToString("REPLICATED");
    }
  }
}
