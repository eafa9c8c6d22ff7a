package dev.outbox.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.MessageLimits;
import dev.outbox.message.Payload;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.CloudEvents;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How a message is mapped, what is refused, and what is made of options. */
class NatsMappingTest {
  private static final Options OPTIONS = new Options.Builder().build();

  private static Envelope envelope(String topic, String key, Map<String, String> headers) {
    return new Envelope(
        MessageId.next(),
        topic,
        new Key(key),
        headers,
        new Payload("application/json", new byte[2]),
        null);
  }

  private static String refusal(MessageLimits limits, String topic, Map<String, String> headers) {
    return limits.refusal(envelope(topic, "42", headers));
  }

  @Test
  void every_part_of_a_message_has_its_header() {
    Envelope envelope = envelope("orders", "42", Map.of("tenant", "acme", "Tenant", "b c"));
    Headers headers = NatsMapping.PLAIN.headers(envelope);
    assertThat(headers.keySet())
        .containsExactlyInAnyOrder(
            "Nats-Msg-Id", "message-key", "content-type", "tenant", "Tenant");
    assertThat(headers.getFirst("Nats-Msg-Id")).isEqualTo(envelope.id().toString());
    assertThat(headers.getFirst("message-key")).isEqualTo("42");
    assertThat(headers.getFirst("content-type")).isEqualTo("application/json");
    assertThat(headers.getFirst("Tenant")).isEqualTo("b c");
  }

  @Test
  void what_a_header_cannot_hold_is_packed_and_read_again() {
    Map<String, String> odd =
        Map.of("letters", "é 木 🎈", "a b:c", "x", "spaces", " x ", "lines", "a\r\nb&c=d");
    Headers headers = NatsMapping.PLAIN.headers(envelope("orders", " k ", odd));
    assertThat(headers.keySet())
        .containsExactlyInAnyOrder("Nats-Msg-Id", "content-type", "packed-headers");
    assertThat(headers.getFirst("packed-headers")).matches("[!-~]+");
    assertThat(TestBroker.headers(headers))
        .containsAllEntriesOf(odd)
        .containsEntry("message-key", " k ");
  }

  @Test
  void an_event_has_its_attributes_in_headers_or_in_the_text() {
    URI shop = URI.create("/shop");
    Envelope envelope = envelope("orders", "a b", Map.of("tenant", "acme"));
    NatsMapping binary = new NatsMapping(Envelope::topic, CloudEvents.binary(shop));
    Headers headers = binary.headers(envelope);
    assertThat(headers.getFirst("ce-id")).isEqualTo(envelope.id().toString());
    assertThat(headers.getFirst("ce-partitionkey")).isEqualTo("a%20b");
    assertThat(headers.getFirst("content-type")).isEqualTo("application/json");
    assertThat(headers.getFirst("Nats-Msg-Id")).isEqualTo(envelope.id().toString());
    assertThat(binary.body(envelope)).isEqualTo(envelope.payload().bytes());
    MessageLimits limits =
        NatsPublisher.builder(OPTIONS).cloudEvents(CloudEvents.structured(shop)).limits();
    assertThat(refusal(limits, "orders", Map.of("ce-id", "x"))).startsWith("header 'ce-id'");
    assertThat(refusal(limits, "orders", Map.of())).contains("is not JSON");
    NatsMapping structured = new NatsMapping(Envelope::topic, CloudEvents.structured(shop));
    assertThat(structured.headers(envelope).getFirst("content-type"))
        .isEqualTo("application/cloudevents+json; charset=UTF-8");
  }

  @Test
  void topics_that_are_no_subjects_are_refused() {
    MessageLimits limits = NatsPublisher.limits();
    for (String good : new String[] {"orders", "orders.placed", "a-b_c/d", "заказы"}) {
      assertThat(refusal(limits, good, Map.of())).isNull();
    }
    for (String bad :
        new String[] {" ", "a b", "a..b", ".a", "a.", "a.*", "a>", "a\u0000b", "a\nb"}) {
      assertThat(refusal(limits, bad, Map.of()))
          .startsWith("subject is '" + bad + "', NATS takes words")
          .contains("NatsPublisher.builder(options).subject(..)");
    }
    for (String reserved : new String[] {"$JS.API.INFO", "$SYS.x", "_INBOX.a"}) {
      assertThat(refusal(limits, reserved, Map.of())).contains("for itself");
    }
    MessageLimits mapped =
        NatsPublisher.builder(OPTIONS).subject(each -> "x".repeat(4000)).limits();
    assertThat(refusal(mapped, "orders", Map.of())).contains("has 4000 bytes, NATS takes 3900");
  }

  @Test
  void names_of_headers_that_have_a_meaning_are_refused() {
    for (String name :
        new String[] {
          "Nats-Msg-Id", "nats-expected-stream", "message-key", "content-type", "packed-headers"
        }) {
      assertThat(refusal(NatsPublisher.limits(), "orders", Map.of(name, "x")))
          .startsWith("header '" + name + "'");
    }
  }

  @Test
  void a_message_above_the_configured_size_is_refused() {
    MessageLimits limits = NatsPublisher.builder(OPTIONS).maxPayload(10).limits();
    assertThat(refusal(limits, "orders", Map.of()))
        .contains("bytes, max_payload of NATS is 10; raise it in the server's configuration");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NatsPublisher.builder(OPTIONS).maxPayload(0))
        .withMessage("maxPayload is 0, the minimum is 1");
  }

  @Test
  void the_duplicate_window_and_the_durability_of_a_stream_are_declared() {
    assertThat(guarantees(null)).hasToString("drops repeats for PT2M");
    StreamConfiguration.Builder stream = StreamConfiguration.builder().name("orders");
    assertThat(guarantees(stream.duplicateWindow(Duration.ofMinutes(10)).build()))
        .hasToString("drops repeats for PT10M, DISK");
    assertThat(guarantees(stream.replicas(3).build()))
        .hasToString("drops repeats for PT10M, REPLICATED");
    assertThat(guarantees(stream.replicas(1).storageType(StorageType.Memory).build()))
        .hasToString("drops repeats for PT10M, MEMORY");
  }

  private static BrokerGuarantees guarantees(StreamConfiguration stream) {
    NatsPublisher.Builder builder = NatsPublisher.builder(OPTIONS);
    try (NatsPublisher publisher =
        (stream == null ? builder : builder.guaranteesOf(stream)).build()) {
      assertThat(publisher.classify(Ack::of).brokerGuarantees())
          .isEqualTo(publisher.brokerGuarantees());
      return publisher.brokerGuarantees();
    }
  }

  @Test
  void options_are_copied_and_the_copy_brought_within_the_deadline() {
    Options fitting = ConnectionOptions.fitting(OPTIONS, Duration.ofSeconds(30));
    assertThat(OPTIONS.getMaxReconnect()).isEqualTo(60);
    assertThat(fitting.getMaxReconnect()).isZero();
    assertThat(fitting.getReconnectBufferSize()).isZero();
    assertThat(fitting.getConnectionTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(fitting.getSocketWriteTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(fitting.getWriteQueuePushTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(fitting.getRequestCleanupInterval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(fitting.getPingInterval()).isEqualTo(Duration.ofSeconds(3));
    assertThat(fitting.getMaxPingsOut()).isEqualTo(2);
    assertThat(fitting.getConnectionName()).isEqualTo("outbox");
    Options tight = ConnectionOptions.fitting(OPTIONS, Duration.ofSeconds(4));
    assertThat(tight.getRequestCleanupInterval()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void shorter_timeouts_and_a_name_of_yours_are_kept() {
    Options given =
        new Options.Builder()
            .connectionName("shop")
            .pingInterval(Duration.ofSeconds(1))
            .maxPingsOut(1)
            .build();
    Options fitting = ConnectionOptions.fitting(given, Duration.ofSeconds(30));
    assertThat(fitting.getConnectionName()).isEqualTo("shop");
    assertThat(fitting.getPingInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(fitting.getMaxPingsOut()).isOne();
    for (int off : new int[] {0, -1}) {
      Options never = new Options.Builder().maxPingsOut(off).build();
      assertThat(ConnectionOptions.fitting(never, Duration.ofSeconds(30)).getMaxPingsOut())
          .isEqualTo(2);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NatsPublisher.builder(given).publishDeadline(Duration.ofMillis(999)))
        .withMessage("publishDeadline is PT0.999S, the minimum is PT1S");
  }

  @Test
  void options_that_hide_the_servers_answers_are_refused_by_name() {
    requireRefused(new Options.Builder().noHeaders(), "noHeaders");
    requireRefused(new Options.Builder().noNoResponders(), "noNoResponders");
    requireRefused(
        new Options.Builder().discardMessagesWhenOutgoingQueueFull(),
        "discardMessagesWhenOutgoingQueueFull");
  }

  private static void requireRefused(Options.Builder options, String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NatsPublisher.create(options.build()))
        .withMessageStartingWith(name + " is true, but ");
  }
}
