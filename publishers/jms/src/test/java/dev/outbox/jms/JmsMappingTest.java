package dev.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.MessageLimits;
import dev.outbox.message.Payload;
import dev.outbox.publish.CloudEvents;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a message is mapped, and what is refused because JMS has no place for it. */
class JmsMappingTest {
  private static final ActiveMQConnectionFactory FACTORY =
      new ActiveMQConnectionFactory(
          "tcp://localhost:1?confirmationWindowSize=1048576&callTimeout=5000");

  static Envelope envelope(String topic, Map<String, String> headers, String type, String text) {
    return new Envelope(
        MessageId.next(),
        topic,
        new Key("42"),
        headers,
        new Payload(type, text.getBytes(StandardCharsets.UTF_8)),
        null);
  }

  @Test
  void the_destination_is_a_queue_or_what_you_say() {
    assertThat(JmsMapping.PLAIN.destination(envelope("orders", Map.of(), "a/b", "")))
        .isEqualTo(JmsDestination.queue("orders"))
        .hasToString("queue 'orders'");
    assertThat(JmsDestination.topic("shop")).hasToString("topic 'shop'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tenant", "content-length", "x.y-z", "_a$1", "Tenant", "a-HYPHEN_b"})
  void names_of_headers_are_written_as_identifiers(String name) {
    assertThat(PropertyName.refusal(name)).isNull();
    assertThat(PropertyName.of(name)).matches("[A-Za-z_$][A-Za-z0-9_$]*");
    assertThat(PropertyName.of(name).replace("_HYPHEN_", "-").replace("_DOT_", "."))
        .isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1a", "a b", "é", "JMSType", "_AMQ_X", "Like", "not", "a:b"})
  void names_that_can_be_no_property_are_refused(String name) {
    assertThat(PropertyName.refusal(name)).contains("header '" + name + "' can be no property");
  }

  /** The sign that is written ends or begins with a part of the name. */
  @ParameterizedTest
  @ValueSource(strings = {"a_HYPHEN_b", "a_HYPHEN-b", "a_DOT.b", "a-DOT_b", "-DOT_"})
  void names_that_would_arrive_as_others_are_refused(String name) {
    assertThat(PropertyName.refusal(name)).contains("header '" + name + "' would arrive as '");
  }

  private static String refusal(MessageLimits limits, String header) {
    return limits.refusal(envelope("orders", Map.of(header, "x"), "application/json", "{"));
  }

  @Test
  void limits_follow_the_mapping() {
    assertThat(refusal(JmsPublisher.limits(), "a_HYPHEN_b"))
        .isEqualTo("header 'a_HYPHEN_b' would arrive as 'a-b'; rename it");
    assertThat(refusal(JmsPublisher.limits(), "messageId")).contains("the publisher sets");
    assertThat(refusal(JmsPublisher.limits(), "cloudEvents_id")).isNull();
    CloudEvents structured = CloudEvents.structured(URI.create("/shop"));
    MessageLimits events = JmsPublisher.builder(FACTORY).cloudEvents(structured).limits();
    assertThat(refusal(events, "cloudEvents_id")).contains("the publisher sets");
    assertThat(refusal(events, "tenant")).contains("is not JSON");
  }

  @Test
  void what_cannot_work_is_refused_at_the_call() {
    JmsPublisher.Builder builder = JmsPublisher.builder(FACTORY);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.maxMessageSize(0))
        .withMessage("maxMessageSize is 0, the minimum is 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.dedupes(-1))
        .withMessage("dedupes is -1, the minimum is 0 for none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.publishDeadline(Duration.ofMillis(999)))
        .withMessage("publishDeadline is PT0.999S, the minimum is PT1S");
  }

  @Test
  void dedupe_is_declared_for_Artemis_only() {
    try (JmsPublisher artemis = JmsPublisher.create(FACTORY);
        JmsPublisher none = JmsPublisher.builder(FACTORY).dedupes(0).build();
        JmsPublisher other = JmsPublisher.create(new OtherFactory())) {
      assertThat(artemis.brokerGuarantees()).hasToString("drops repeats of the last 20000 ids");
      assertThat(none.brokerGuarantees().dedupes()).isFalse();
      assertThat(other.brokerGuarantees().dedupes()).isFalse();
    }
  }
}
