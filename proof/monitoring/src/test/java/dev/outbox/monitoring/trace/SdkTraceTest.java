package dev.outbox.monitoring.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.brokers.BrokerKind;
import dev.outbox.brokers.TestBroker;
import dev.outbox.servers.Database;
import dev.outbox.servers.Sandbox;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program with OpenTelemetry's SDK: the spans that its exporter gets. */
class SdkTraceTest {
  /** The last of them is drawn: the first ones load classes. */
  private static final int ORDERS = 200;

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk openTelemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();

  @AfterEach
  void close() {
    openTelemetry.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"KAFKA", "RABBITMQ"})
  void a_trace_goes_from_the_request_through_outbox_and_broker_to_the_consumer(BrokerKind kind)
      throws Exception {
    kind.whyNot().ifPresent(Assumptions::abort);
    String system = kind.name().toLowerCase(Locale.ROOT);
    try (TestBroker broker = kind.start();
        Sandbox sandbox = Database.POSTGRES.sandbox();
        Shop shop =
            new Shop(
                kind,
                broker.address(),
                sandbox.pool(8),
                new ByHand(openTelemetry, system).traced())) {
      Customer customer = new Customer(shop.port());
      for (int order = 1; order <= ORDERS; order++) {
        customer.order("item-" + order);
        awaitProcessed(order);
      }
    }
    assertEachOrderIsOneTrace();
    List<SeenSpan> last = lastTrace();
    Path picture = Path.of("target", "trace-%s.svg".formatted(system));
    Files.writeString(picture, new Waterfall(last).svg());
    System.out.println(picture + ": " + last);
  }

  private void awaitProcessed(int orders) throws InterruptedException {
    while (spans().stream().filter(each -> each.kind().equals("CONSUMER")).count() < orders) {
      Thread.sleep(1);
    }
  }

  private void assertEachOrderIsOneTrace() {
    List<SeenSpan> all = spans();
    List<SeenSpan> processed = all.stream().filter(each -> each.kind().equals("CONSUMER")).toList();
    assertThat(processed).hasSize(ORDERS);
    assertThat(all).hasSize(4 * ORDERS);
    assertThat(processed)
        .allSatisfy(
            each ->
                assertThat(each.path(all))
                    .extracting(span -> span.kind() + " " + span.name())
                    .containsExactly(
                        "SERVER POST /orders",
                        "PRODUCER create orders",
                        "CONSUMER process orders"));
    List<SeenSpan> sent = all.stream().filter(each -> each.kind().equals("CLIENT")).toList();
    assertThat(sent)
        .hasSize(ORDERS)
        .allSatisfy(
            each ->
                assertThat(each.path(all))
                    .extracting(SeenSpan::name)
                    .containsExactly("POST /orders", "create orders", "send orders"));
  }

  private List<SeenSpan> lastTrace() {
    List<SeenSpan> all = spans();
    String trace = all.get(all.size() - 1).trace();
    return all.stream().filter(each -> each.trace().equals(trace)).toList();
  }

  private List<SeenSpan> spans() {
    return exporter.getFinishedSpanItems().stream().map(SdkTraceTest::seen).toList();
  }

  private static SeenSpan seen(SpanData span) {
    return new SeenSpan(
        span.getTraceId(),
        span.getSpanId(),
        span.getParentSpanContext().isValid() ? span.getParentSpanId() : "",
        span.getKind().name(),
        span.getName(),
        span.getStartEpochNanos(),
        span.getEndEpochNanos());
  }
}
