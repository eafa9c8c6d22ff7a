package dev.outbox.monitoring.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.brokers.BrokerKind;
import dev.outbox.brokers.TestBroker;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A program under OpenTelemetry's agent, which replaces the header {@code traceparent} of what the
 * client sends, and reads it where messages are received.
 */
class AgentTraceTest {
  private static final String ITEM = "lamp";

  @ParameterizedTest
  @EnumSource(names = {"KAFKA", "RABBITMQ"})
  void the_agents_spans_go_on_in_the_trace_of_the_request(BrokerKind kind) throws Exception {
    List<SeenSpan> spans = order(kind, true);
    List<SeenSpan> path = received(spans).path(spans);
    Files.writeString(
        Path.of("target", "trace-agent-%s.svg".formatted(kind)), new Waterfall(path).svg());

    assertThat(path)
        .extracting(SeenSpan::kind)
        .containsExactly("SERVER", "PRODUCER", "CLIENT", "PRODUCER", "CONSUMER");
    assertThat(path.subList(0, 3))
        .extracting(SeenSpan::name)
        .containsExactly("POST /orders", "create orders", "send orders");
  }

  /** So the scope around the send is needed, and the test above sees whether it is there. */
  @ParameterizedTest
  @EnumSource(names = {"KAFKA", "RABBITMQ"})
  void without_the_observer_of_sends_the_consumer_is_in_another_trace(BrokerKind kind)
      throws Exception {
    List<SeenSpan> spans = order(kind, false);
    SeenSpan created =
        spans.stream()
            .filter(each -> each.name().equals("create orders"))
            .findFirst()
            .orElseThrow();

    assertThat(received(spans).trace()).isNotEqualTo(created.trace());
    assertThat(received(spans).path(spans))
        .extracting(SeenSpan::kind)
        .containsExactly("PRODUCER", "CONSUMER");
  }

  private static List<SeenSpan> order(BrokerKind kind, boolean observed) throws Exception {
    kind.whyNot().ifPresent(Assumptions::abort);
    try (TestBroker broker = kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox();
        AgentShop shop = new AgentShop(kind, broker, sandbox, observed)) {
      new Customer(shop.port()).order(ITEM);
      shop.awaitInvoice(ITEM);
      return shop.spans();
    }
  }

  /** The agent's span around the consumer's handling. */
  private static SeenSpan received(List<SeenSpan> spans) {
    List<SeenSpan> received =
        spans.stream()
            .filter(each -> each.kind().equals("CONSUMER") && each.name().contains("process"))
            .toList();
    assertThat(received).as("%s", spans).hasSize(1);
    return received.get(0);
  }
}
