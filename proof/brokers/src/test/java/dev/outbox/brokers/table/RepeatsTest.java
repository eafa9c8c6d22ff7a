package dev.outbox.brokers.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.brokers.BrokerKind;
import dev.outbox.brokers.TestBroker;
import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of brokers in docs/guarantees.md, row by row: what becomes of a repeat. */
@Tag("proof")
class RepeatsTest {
  private static final Path PAGE = Path.of("../../docs/guarantees.md");
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Map<BrokerKind, String> ROWS =
      Map.of(
          BrokerKind.KAFKA, "Apache Kafka",
          BrokerKind.RABBITMQ, "RabbitMQ, classic and quorum queues",
          BrokerKind.NATS, "NATS JetStream",
          BrokerKind.HTTP, "An HTTP endpoint",
          BrokerKind.JMS, "Artemis (JMS)",
          BrokerKind.SQS, "Amazon SQS FIFO");

  /** As after a crash: by another publisher, on another connection. */
  @ParameterizedTest
  @EnumSource
  void a_repeat_arrives_or_is_dropped_as_the_table_says(BrokerKind kind) throws Exception {
    kind.whyNot().ifPresent(Assumptions::abort);
    String[] row = row(ROWS.get(kind));
    Envelope envelope = message();
    try (TestBroker broker = kind.start()) {
      BrokerGuarantees declared = publish(kind, broker, envelope);
      publish(kind, broker, envelope);
      List<TestBroker.Arrived> arrived = broker.arrived();
      assertThat(arrived)
          .allSatisfy(each -> assertThat(each.id()).isEqualTo(envelope.id().toString()));
      assertThat(declared.dedupes()).as("declared").isEqualTo(arrived.size() == 1);
      assertThat(row[2])
          .startsWith(declared.dedupes() || kind == BrokerKind.HTTP ? "is dropped" : "arrives");
      assertThat(row[1]).contains(extent(declared));
    }
  }

  /** For how long, or among how many. */
  private static String extent(BrokerGuarantees declared) {
    if (declared.dedupeCount() != null) {
      return "%,d ids".formatted(declared.dedupeCount());
    }
    Duration window = declared.dedupeWindow();
    return window == null ? "" : window.toMinutes() + " minutes";
  }

  private static BrokerGuarantees publish(BrokerKind kind, TestBroker broker, Envelope envelope)
      throws Exception {
    BrokerKind.OwnedPublisher opened = kind.publisher(broker.address(), DEADLINE);
    try {
      OneMessage flight =
          new OneMessage(envelope, Instant.now().plus(DEADLINE), new CompletableFuture<>());
      opened.publisher().publish(flight);
      assertThat(flight.answer().get(DEADLINE.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(Ack.Delivered.class);
      return opened.publisher().brokerGuarantees();
    } finally {
      opened.owned().close();
    }
  }

  private static Envelope message() {
    return new Envelope(
        MessageId.next(),
        TestBroker.TOPIC,
        new Key("k1"),
        Map.of(),
        new Payload("text/plain", "item".getBytes(StandardCharsets.UTF_8)),
        null);
  }

  /** Its cells. */
  private static String[] row(String name) throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| " + name + " |"))
        .map(line -> line.substring(2).split(" \\| ", -1))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(PAGE + " has no row '" + name + "'"));
  }

  private record OneMessage(Envelope envelope, Instant deadline, CompletableFuture<Ack> answer)
      implements Flight {
    @Override
    public List<Envelope> envelopes() {
      return List.of(envelope);
    }

    @Override
    public void ack(Envelope answered, Ack ack) {
      answer.complete(ack);
    }

    @Override
    public boolean shouldStop() {
      return false;
    }

    @Override
    public OptionalLong fencingToken() {
      return OptionalLong.empty();
    }

    @Override
    public Connection transaction() {
      throw new IllegalStateException("there is no transaction");
    }
  }
}
