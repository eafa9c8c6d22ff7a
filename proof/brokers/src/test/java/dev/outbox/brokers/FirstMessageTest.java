package dev.outbox.brokers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.Relay;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** From an empty project to the first message in the broker there are at most twelve lines. */
@Tag("proof")
class FirstMessageTest {
  private static final Path PROGRAMS =
      Path.of("src/test/java/dev/outbox/brokers/FirstMessages.java");
  private static final int MOST = 12;

  @ParameterizedTest
  @EnumSource
  void twelve_lines_are_enough_for_the_first_message(BrokerKind kind) throws Exception {
    kind.whyNot().ifPresent(Assumptions::abort);
    try (TestBroker broker = kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox();
        Relay relay = run(kind, sandbox.pool(4), broker.address())) {
      while (relay.status().counts().delivered() < 1) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      assertThat(broker.arrived())
          .singleElement()
          .satisfies(each -> assertThat(each.text()).isEqualTo("placed"))
          .satisfies(each -> assertThat(each.key()).isEqualTo("42"));
    }
    assertThat(body(kind)).hasSizeLessThanOrEqualTo(MOST);
  }

  private static Relay run(BrokerKind kind, DataSource database, String address) throws Exception {
    return switch (kind) {
      case KAFKA -> FirstMessages.kafka(database, address);
      case RABBITMQ -> FirstMessages.rabbitmq(database, address);
      case NATS -> FirstMessages.nats(database, address);
      case HTTP -> FirstMessages.http(database, address);
      case JMS -> FirstMessages.jms(database, JmsBroker.factory(address));
      case SQS -> FirstMessages.sqs(database, SqsBroker.client(address));
    };
  }

  /** The lines between the head of the kind's method and its return. */
  private static List<String> body(BrokerKind kind) throws Exception {
    String head = "  static Relay " + kind.name().toLowerCase(Locale.ROOT) + "(";
    List<String> body =
        Files.readAllLines(PROGRAMS).stream()
            .dropWhile(line -> !line.startsWith(head))
            .skip(1)
            .takeWhile(line -> !line.startsWith("    return"))
            .toList();
    assertThat(body).as("%s in %s", head, PROGRAMS).isNotEmpty();
    return body;
  }
}
