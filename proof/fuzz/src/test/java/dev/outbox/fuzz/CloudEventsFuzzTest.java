package dev.outbox.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outbox.internal.text.HeaderJson;
import dev.outbox.internal.text.StorableText;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.CloudEvents;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Whatever a row holds, a CloudEvent is what it says, or the message is refused. */
class CloudEventsFuzzTest {
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final MessageId ID = MessageId.next();
  private static final CloudEvents STRUCTURED = CloudEvents.structured(URI.create("/fuzz"));
  private static final CloudEvents BINARY = CloudEvents.binary(URI.create("/fuzz"));

  @DictionaryEntries({
    "application/json",
    "text/plain; charset=utf-8",
    "+json",
    "{\"traceparent\":\"",
    "\\ud83d",
    "\"},\"data\":{\"",
    "1 2"
  })
  @FuzzTest
  void an_event_holds_the_message_and_nothing_else(FuzzedDataProvider data) throws IOException {
    Envelope envelope = envelope(data);
    if (envelope == null) {
      return;
    }
    Map<String, String> attributes = STRUCTURED.attributes(envelope);
    if (STRUCTURED.refusal(envelope) == null) {
      assertHolds(envelope, attributes, STRUCTURED.body(envelope));
    }
    assertThat(BINARY.refusal(envelope)).isNull();
    assertThat(BINARY.body(envelope)).isEqualTo(envelope.payload().bytes());
    attributes.values().forEach(CloudEventsFuzzTest::assertIsHeader);
  }

  /** As a row is read, or null where it would be a dead letter. */
  private static @Nullable Envelope envelope(FuzzedDataProvider data) {
    String topic = data.consumeString(40);
    String key = data.consumeString(40);
    String contentType = data.consumeString(60);
    String headers = data.consumeString(200);
    try {
      StorableText.check("topic", topic, 255);
      StorableText.check("content type", contentType, Payload.MAX_CONTENT_TYPE_LENGTH);
      return new Envelope(
          ID,
          topic,
          key.isEmpty() ? null : new Key(key),
          HeaderJson.read(headers),
          new Payload(contentType, data.consumeRemainingAsBytes()),
          null);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static void assertHolds(Envelope envelope, Map<String, String> attributes, byte[] body)
      throws IOException {
    Payload payload = envelope.payload();
    JsonNode event = STRICT.readTree(body);
    Map<String, String> expected = new LinkedHashMap<>(attributes);
    expected.put("datacontenttype", payload.contentType());
    expected.forEach((name, value) -> assertThat(event.path(name).textValue()).isEqualTo(value));
    assertThat(event.size()).isEqualTo(expected.size() + 1);
    if (event.has("data_base64")) {
      assertThat(event.get("data_base64").binaryValue()).isEqualTo(payload.bytes());
    } else if (event.get("data").isTextual() && !mayBeJson(payload.contentType())) {
      assertThat(event.get("data").textValue()).isEqualTo(payload.text());
    } else {
      assertThat(event.get("data")).isNotNull();
    }
  }

  /** Types of content are the same in upper and lower case. */
  private static boolean mayBeJson(String contentType) {
    return contentType.toLowerCase(Locale.ROOT).contains("json");
  }

  /** One line of ASCII that is read back as it was. */
  private static void assertIsHeader(String value) {
    String text = CloudEvents.headerText(value);
    assertThat(text).matches("[!-~]*");
    String bytes = new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    assertThat(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8))
        .isEqualTo(bytes);
  }
}
