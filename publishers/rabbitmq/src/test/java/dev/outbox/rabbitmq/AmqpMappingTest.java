package dev.outbox.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ConnectionFactory;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.MessageLimits;
import dev.outbox.message.Payload;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a message is mapped, and what is refused because AMQP has no place for it. */
class AmqpMappingTest {
  private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static Envelope envelope(String topic, Map<String, String> headers) {
    return new Envelope(
        MessageId.next(),
        topic,
        new Key("42"),
        headers,
        new Payload("application/json", new byte[2]),
        null);
  }

  @Test
  void every_part_of_a_message_has_its_property() {
    Envelope envelope = envelope("orders", Map.of("tenant", "acme", "traceparent", PARENT));
    AMQP.BasicProperties properties = AmqpMapping.properties(envelope);
    assertThat(properties.getDeliveryMode()).isEqualTo(2);
    assertThat(properties.getMessageId()).isEqualTo(envelope.id().toString());
    assertThat(properties.getType()).isEqualTo("orders");
    assertThat(properties.getContentType()).isEqualTo("application/json");
    assertThat(properties.getTimestamp())
        .isEqualTo(Date.from(envelope.id().madeAt().orElseThrow()));
    assertThat(properties.getHeaders())
        .isEqualTo(Map.of("tenant", "acme", "traceparent", PARENT, "message-key", "42"));
  }

  @Test
  void the_destination_is_a_queue_an_exchange_or_what_you_say() {
    assertThat(AmqpMapping.PLAIN.destination(envelope("orders", Map.of())))
        .isEqualTo(new Destination("", "orders"))
        .hasToString("queue 'orders'");
    assertThat(new Destination("shop", "orders"))
        .hasToString("exchange 'shop' with routing key 'orders'");
  }

  private static String refusal(MessageLimits limits, String topic, Map<String, String> headers) {
    return limits.refusal(envelope(topic, headers));
  }

  @Test
  void names_are_short_strings_of_255_bytes() {
    MessageLimits limits = RabbitPublisher.limits();
    assertThat(refusal(limits, "é".repeat(127) + "x", Map.of())).isNull();
    assertThat(refusal(limits, "é".repeat(128), Map.of())).startsWith("routing key 'é");
    assertThat(refusal(limits, "orders", Map.of("木".repeat(85), "x"))).isNull();
    assertThat(refusal(limits, "orders", Map.of("🎈".repeat(64), "x")))
        .startsWith("name of a header '🎈")
        .contains("has 256 bytes, RabbitMQ takes 255");
    MessageLimits mapped =
        RabbitPublisher.builder(new ConnectionFactory())
            .destination(each -> new Destination("x".repeat(256), ""))
            .limits();
    assertThat(refusal(mapped, "orders", Map.of())).startsWith("exchange 'x");
    MessageLimits fixed =
        RabbitPublisher.builder(new ConnectionFactory()).exchange("shop").limits();
    assertThat(refusal(fixed, "é".repeat(128), Map.of())).startsWith("routing key");
  }

  @Test
  void names_of_headers_that_have_a_meaning_are_refused() {
    for (String name : new String[] {"message-key", "CC", "BCC"}) {
      assertThat(refusal(RabbitPublisher.limits(), "orders", Map.of(name, "x")))
          .startsWith("header '" + name + "'");
    }
  }

  @Test
  void properties_and_headers_fit_into_one_frame() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setRequestedFrameMax(4096);
    MessageLimits limits = RabbitPublisher.builder(factory).limits();
    for (int length = 3700; length < 4200; length++) {
      Map<String, String> headers = new HashMap<>();
      headers.put("long", "é".repeat(length / 2) + "x".repeat(length % 2));
      Envelope envelope = envelope("orders", headers);
      int frame = AmqpMapping.properties(envelope).toFrame(1, 2).size();
      assertThat(limits.refusal(envelope) == null).as("%d bytes", frame).isEqualTo(frame <= 4096);
    }
  }

  @Test
  void a_payload_above_the_configured_size_is_refused() {
    MessageLimits limits =
        RabbitPublisher.builder(new ConnectionFactory()).maxMessageSize(1).limits();
    assertThat(refusal(limits, "orders", Map.of()))
        .isEqualTo(
            "payload has 2 bytes, the limit of RabbitMQ is 1; raise max_message_size in rabbitmq.conf, make the payload smaller, or put it into a store of your own and send its address");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RabbitPublisher.builder(new ConnectionFactory()).maxMessageSize(0))
        .withMessage("maxMessageSize is 0, the minimum is 1");
  }

  @Test
  void a_factory_is_copied_and_the_copy_brought_within_the_deadline() {
    ConnectionFactory given = new ConnectionFactory();
    ConnectionFactory fitting = FactorySettings.fitting(given, Duration.ofSeconds(30));
    assertThat(given.isAutomaticRecoveryEnabled()).isTrue();
    assertThat(fitting.isAutomaticRecoveryEnabled()).isFalse();
    assertThat(fitting.isTopologyRecoveryEnabled()).isFalse();
    assertThat(fitting.getConnectionTimeout()).isEqualTo(3000);
    assertThat(fitting.getHandshakeTimeout()).isEqualTo(3000);
    assertThat(fitting.getChannelRpcTimeout()).isEqualTo(3000);
    assertThat(fitting.getRequestedHeartbeat()).isEqualTo(6);
  }

  @Test
  void shorter_timeouts_of_yours_are_kept() {
    ConnectionFactory given = new ConnectionFactory();
    given.setConnectionTimeout(1000);
    given.setRequestedHeartbeat(2);
    ConnectionFactory fitting = FactorySettings.fitting(given, Duration.ofSeconds(30));
    assertThat(fitting.getConnectionTimeout()).isEqualTo(1000);
    assertThat(fitting.getRequestedHeartbeat()).isEqualTo(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RabbitPublisher.builder(given).publishDeadline(Duration.ofMillis(999)))
        .withMessage("publishDeadline is PT0.999S, the minimum is PT1S");
  }
}
