package dev.outbox.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.message.Reference;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CloudEventsTest {
  private static final MessageId ID = MessageId.parse("019aadb1-9c00-7000-8000-000000000001");
  private static final String TIME = ID.madeAt().orElseThrow().toString();
  private static final URI SHOP = URI.create("/shop");
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static Envelope envelope(@Nullable String key, String type, String text) {
    return new Envelope(
        ID,
        "orders.placed",
        key == null ? null : new Key(key),
        Map.of("traceparent", TRACE, "tenant", "acme"),
        new Payload(type, text.getBytes(StandardCharsets.UTF_8)),
        null);
  }

  private static String body(String type, String text) {
    byte[] body = CloudEvents.structured(SHOP).body(envelope("42", type, text));
    return new String(body, StandardCharsets.UTF_8);
  }

  @Test
  void an_event_has_its_attributes_in_the_order_of_the_specification() {
    Map<String, String> attributes =
        CloudEvents.binary(SHOP).attributes(envelope("42", "text/plain", "x"));
    assertThat(attributes)
        .containsExactly(
            Map.entry("specversion", "1.0"),
            Map.entry("id", ID.toString()),
            Map.entry("source", "/shop"),
            Map.entry("type", "orders.placed"),
            Map.entry("time", TIME),
            Map.entry("partitionkey", "42"),
            Map.entry("traceparent", TRACE));
    assertThat(CloudEvents.binary(SHOP).attributes(envelope(null, "text/plain", "x")))
        .doesNotContainKey("partitionkey");
  }

  @Test
  void a_binary_event_leaves_the_payload_as_it_is() {
    Envelope envelope = envelope("42", "application/json", "no JSON");
    CloudEvents binary = CloudEvents.binary(SHOP);
    assertThat(binary.body(envelope)).isSameAs(envelope.payload().bytes());
    assertThat(binary.contentType(envelope)).isEqualTo("application/json");
    assertThat(binary.refusal(envelope)).isNull();
  }

  @Test
  void a_structured_event_is_one_JSON_text() {
    assertThat(CloudEvents.structured(SHOP).contentType(envelope("42", "text/plain", "")))
        .isEqualTo("application/cloudevents+json; charset=UTF-8");
    assertThat(body("application/json", "{\"a\":1.00}"))
        .isEqualTo(
            "{\"specversion\":\"1.0\",\"id\":\"%s\",\"source\":\"/shop\",\"type\":\"orders.placed\",\"time\":\"%s\",\"partitionkey\":\"42\",\"traceparent\":\"%s\",\"datacontenttype\":\"application/json\",\"data\":{\"a\":1.00}}"
                .formatted(ID, TIME, TRACE));
  }

  @Test
  void text_is_a_JSON_string_and_other_bytes_are_Base64() {
    assertThat(body("Text/Plain; charset=utf-8", "a\"b\n木"))
        .endsWith("\"datacontenttype\":\"Text/Plain; charset=utf-8\",\"data\":\"a\\\"b\\n木\"}");
    assertThat(body("application/octet-stream", "abc")).endsWith("\"data_base64\":\"YWJj\"}");
    assertThat(body("application/vnd.shop+json", "[1]")).endsWith("\"data\":[1]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "placed", "{\"a\":1", "{},\"id\":\"x\"", "{} {}"})
  void what_says_that_it_is_JSON_and_is_not_is_refused(String text) {
    String refusal = CloudEvents.structured(SHOP).refusal(envelope("42", "application/json", text));
    assertThat(refusal)
        .isEqualTo(
            "payload of content type application/json is not JSON; give its own content type to bytes(..), or publish binary CloudEvents");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> body("application/json", text))
        .withMessage(refusal);
  }

  @Test
  void a_payload_that_is_not_loaded_yet_is_not_looked_at() {
    Envelope reference =
        new Envelope(ID, "m", null, Map.of(), Reference.UNRESOLVED, null, new Reference("t", "7"));
    assertThat(CloudEvents.structured(SHOP).refusal(reference)).isNull();
  }

  @Test
  void an_event_without_a_source_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CloudEvents.binary(URI.create("")))
        .withMessageStartingWith("source is empty");
  }

  /** The last one is the example of the HTTP binding, section 3.1.3.2. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a/b:c,d;e\\f'!~|a/b:c,d;e\\f'!~",
        "a b|a%20b",
        "50%|50%25",
        "a\"b|a%22b",
        "木|%E6%9C%A8",
        "Euro € \uD83D\uDE00|Euro%20%E2%82%AC%20%F0%9F%98%80"
      })
  void header_text_is_printable_ASCII(String value, String text) {
    assertThat(CloudEvents.headerText(value)).isEqualTo(text);
    assertThat(CloudEvents.headerText("\r\n\u007f")).isEqualTo("%0D%0A%7F");
  }
}
