package dev.outbox.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.Outbox;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.opentelemetry.OutboxTracing.Processing;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Spans as an exporter gets them. */
class OutboxTracingTest {
  private static final String UNSAMPLED = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final OpenTelemetrySdk openTelemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
                  .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                  .build())
          .setPropagators(
              ContextPropagators.create(
                  TextMapPropagator.composite(
                      W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
          .build();
  private final OutboxTracing tracing =
      OutboxTracing.builder(openTelemetry).system("kafka").build();
  private final InMemoryStore store = InMemoryStore.create();
  private final Outbox outbox = Outbox.builder(store).observer(tracing).build();
  private final InMemoryBroker broker = InMemoryBroker.create();

  @AfterEach
  void close() {
    openTelemetry.close();
  }

  private void commit(List<Message> messages) throws SQLException {
    try (Connection connection = store.begin()) {
      outbox.enqueue(connection, messages);
      connection.commit();
    }
  }

  /** Commits within a span of its own, and returns that. */
  private Span request(List<Message> messages) throws SQLException {
    Span request = openTelemetry.getTracer("test").spanBuilder("POST /orders").startSpan();
    try (Scope current = request.makeCurrent()) {
      assertThat(current).isNotNull();
      commit(messages);
    } finally {
      request.end();
    }
    return request;
  }

  private void drain(Publisher publisher) {
    drain(publisher, tracing);
  }

  private void drain(Publisher publisher, OutboxTracing tracing) {
    try (ManualRelay relay =
        ManualRelay.builder(store, publisher.observed(tracing))
            .grace(Duration.ofMillis(1))
            .build()) {
      relay.drainNow();
    }
  }

  private List<SpanData> spans(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .toList();
  }

  private SpanData span(String name) {
    assertThat(spans(name)).as(name).hasSize(1);
    return spans(name).get(0);
  }

  private static String attribute(SpanData span, String name) {
    return span.getAttributes().get(AttributeKey.stringKey(name));
  }

  private static Message order(String text) {
    return Message.to("orders.placed").key("k").text(text);
  }

  @Test
  void a_trace_goes_from_the_request_over_the_relay_to_the_consumer() throws Exception {
    Span request = request(List.of(order("one")));
    drain(broker.publisher());
    Envelope arrived = broker.messages().get(0).envelope();
    Span inside;
    try (Processing processing = tracing.process("orders.placed", arrived.headers())) {
      assertThat(processing).isNotNull();
      inside = Span.current();
    }

    SpanData create = span("create orders.placed");
    SpanData send = span("send orders.placed");
    SpanData process = span("process orders.placed");
    assertThat(List.of(create, send, process))
        .extracting(SpanData::getTraceId)
        .containsOnly(request.getSpanContext().getTraceId());
    assertThat(create.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(create.getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
    assertThat(send.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(send.getParentSpanId()).isEqualTo(create.getSpanId());
    assertThat(send.getLinks()).hasSize(1);
    assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(process.getParentSpanId()).isEqualTo(create.getSpanId());
    assertThat(process.getSpanId()).isEqualTo(inside.getSpanContext().getSpanId());
  }

  @Test
  void spans_have_the_attributes_of_the_conventions() throws Exception {
    commit(List.of(order("one")));
    drain(broker.publisher());

    SpanData create = span("create orders.placed");
    assertThat(attribute(create, "messaging.system")).isEqualTo("kafka");
    assertThat(attribute(create, "messaging.operation.name")).isEqualTo("create");
    assertThat(attribute(create, "messaging.operation.type")).isEqualTo("create");
    assertThat(attribute(create, "messaging.destination.name")).isEqualTo("orders.placed");
    String id = broker.messages().get(0).envelope().id().toString();
    assertThat(attribute(create, "messaging.message.id")).isEqualTo(id);
    assertThat(create.getAttributes().get(AttributeKey.longKey("messaging.message.body.size")))
        .isEqualTo(3);
    assertThat(attribute(span("send orders.placed"), "messaging.message.id")).isEqualTo(id);
  }

  @Test
  void a_call_with_many_messages_is_a_span_of_its_own_that_links_to_each() throws Exception {
    request(List.of(order("one"), order("two")));
    drain(broker.publisher());
    List<Envelope> envelopes = broker.messages().stream().map(Arrival::envelope).toList();
    List<String> created = spans("create orders.placed").stream().map(SpanData::getSpanId).toList();
    exporter.reset();

    SendObserver.Scope call = tracing.sending(envelopes);
    call.answered(envelopes.get(0), Ack.delivered());
    call.close();
    assertThat(exporter.getFinishedSpanItems()).as("one has no answer").isEmpty();
    call.answered(envelopes.get(1), Ack.rejected("too large"));

    SpanData many = span("send orders.placed");
    assertThat(many.getParentSpanContext().isValid()).isFalse();
    assertThat(many.getAttributes().get(AttributeKey.longKey("messaging.batch.message_count")))
        .isEqualTo(2);
    assertThat(many.getLinks())
        .extracting(link -> link.getSpanContext().getSpanId())
        .containsExactlyElementsOf(created);
    assertThat(many.getStatus().getDescription()).isEqualTo("rejected: too large");
    assertThat(many.getEvents()).singleElement().extracting("name").isEqualTo("rejected");
  }

  @Test
  void a_call_with_many_messages_leaves_out_those_whose_requests_were_not_sampled()
      throws Exception {
    Message unsampled =
        Message.to("orders.placed").header("traceparent", UNSAMPLED).key("k").text("1");
    commit(List.of(unsampled, unsampled));
    request(List.of(order("two")));
    drain(broker.publisher());
    List<Envelope> envelopes = broker.messages().stream().map(Arrival::envelope).toList();
    String created = span("create orders.placed").getSpanId();
    exporter.reset();

    send(envelopes.subList(0, 2));
    assertThat(exporter.getFinishedSpanItems()).isEmpty();

    send(envelopes);
    assertThat(span("send orders.placed").getLinks())
        .extracting(link -> link.getSpanContext().getSpanId())
        .containsExactly(created);
  }

  private void send(List<Envelope> envelopes) {
    try (SendObserver.Scope call = tracing.sending(envelopes)) {
      envelopes.forEach(each -> call.answered(each, Ack.delivered()));
    }
  }

  @Test
  void the_stored_context_and_its_baggage_are_current_while_the_client_sends() throws Exception {
    List<String> seen = new ArrayList<>();
    try (Scope current = Baggage.builder().put("tenant", "north").build().makeCurrent()) {
      assertThat(current).isNotNull();
      request(List.of(order("one")));
    }
    drain(
        Publisher.blocking(
            envelope -> {
              seen.add(Baggage.current().getEntryValue("tenant"));
              seen.add(Span.current().getSpanContext().getTraceId());
            }));

    assertThat(seen).containsExactly("north", span("create orders.placed").getTraceId());
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void a_request_that_was_not_sampled_gets_no_span_and_its_context_is_current() throws Exception {
    commit(List.of(Message.to("orders.placed").header("traceparent", UNSAMPLED).text("1")));
    List<String> current = new ArrayList<>();

    drain(
        Publisher.blocking(
            sent -> current.add(Span.current().getSpanContext().getTraceId() + sent.topic())));

    assertThat(current).containsExactly("0af7651916cd43dd8448eb211c80319corders.placed");
    assertThat(exporter.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void only_sampled_contexts_are_stored_where_that_is_asked_and_the_others_get_no_send()
      throws Exception {
    OutboxTracing sampled = OutboxTracing.builder(openTelemetry).onlySampled().build();
    Outbox sparing = Outbox.builder(store).observer(sampled).build();
    SpanContext unsampled =
        SpanContext.create(
            UNSAMPLED.substring(3, 35),
            UNSAMPLED.substring(36, 52),
            TraceFlags.getDefault(),
            TraceState.getDefault());

    for (Context request :
        List.of(Context.root().with(Span.wrap(unsampled)), Context.root().with(recorded()))) {
      try (Scope current = request.makeCurrent();
          Connection connection = store.begin()) {
        assertThat(current).isNotNull();
        sparing.enqueue(connection, order("one"));
        connection.commit();
      }
      drain(broker.publisher(), sampled);
    }

    SpanData create = span("create orders.placed");
    assertThat(broker.messages())
        .extracting(arrival -> arrival.envelope().headers().getOrDefault("traceparent", "none"))
        .containsExactly("none", "00-" + create.getTraceId() + "-" + create.getSpanId() + "-01");
    assertThat(span("send orders.placed").getParentSpanId()).isEqualTo(create.getSpanId());
  }

  private Span recorded() {
    Span request = openTelemetry.getTracer("test").spanBuilder("POST /orders").startSpan();
    request.end();
    return request;
  }

  @Test
  void a_send_that_fails_is_an_error_with_its_type() throws Exception {
    commit(List.of(order("one")));
    drain(
        Publisher.async(
            envelope -> CompletableFuture.failedFuture(new ConnectException("refused"))));

    SpanData send = spans("send orders.placed").get(0);
    assertThat(send.getStatus())
        .isEqualTo(StatusData.create(StatusCode.ERROR, "unavailable: refused"));
    assertThat(attribute(send, "error.type")).isEqualTo("java.net.ConnectException");
    assertThat(send.getEvents()).hasSize(1);
  }

  @Test
  void a_send_that_the_client_never_answers_ends_when_the_relay_gives_it_up() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    SettableClock clock = SettableClock.create();
    InMemoryStore slow = InMemoryStore.builder().clock(clock).build();
    try (Connection connection = slow.begin()) {
      Outbox.builder(slow).observer(tracing).build().enqueue(connection, order("one"));
      connection.commit();
    }
    try (ManualRelay relay =
        ManualRelay.builder(slow, Publisher.async(sent -> answer).observed(tracing))
            .clock(clock)
            .publishDeadline(Duration.ofSeconds(5))
            .retry((attempts, failing) -> Optional.of(Duration.ofMinutes(1)))
            .build()) {
      relay.drainNow();
      assertThat(spans("send orders.placed")).as("before the deadline").isEmpty();

      clock.advance(Duration.ofSeconds(5));
      relay.turn();
      SpanData send = span("send orders.placed");
      assertThat(send.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
      assertThat(attribute(send, "error.type")).isEqualTo("java.util.concurrent.TimeoutException");

      answer.complete("too late");
      assertThat(spans("send orders.placed")).containsExactly(send);
    }
  }

  @Test
  void a_context_that_the_application_set_itself_stays() throws Exception {
    String own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    commit(List.of(Message.to("orders.placed").header("traceparent", own).text("one")));
    drain(broker.publisher());

    assertThat(broker.messages().get(0).envelope().headers()).isEqualTo(Map.of("traceparent", own));
    assertThat(spans("create orders.placed")).isEmpty();
    assertThat(span("send orders.placed").getTraceId())
        .isEqualTo("0af7651916cd43dd8448eb211c80319c");
  }

  @Test
  void baggage_beyond_the_bound_is_left_out_and_the_message_is_written() throws Exception {
    Baggage heavy = Baggage.builder().put("list", "x".repeat(9000)).build();
    try (Scope current = heavy.makeCurrent()) {
      assertThat(current).isNotNull();
      request(List.of(order("one")));
    }
    drain(broker.publisher());

    assertThat(broker.messages().get(0).envelope().headers()).containsOnlyKeys("traceparent");
  }

  @Test
  void a_message_whose_headers_are_full_is_written_without_a_context() throws Exception {
    String full = "x".repeat(8 * 1024 - "list".length());
    request(List.of(Message.to("orders.placed").header("list", full).text("one")));
    drain(broker.publisher());

    assertThat(broker.messages().get(0).envelope().headers()).containsOnlyKeys("list");
  }

  @Test
  void processing_that_fails_is_an_error() {
    try (Processing processing = tracing.process("orders.placed", Map.of())) {
      processing.failed(new IllegalStateException("no stock"));
    }
    SpanData process = span("process orders.placed");
    assertThat(process.getStatus().getDescription()).isEqualTo("no stock");
    assertThat(attribute(process, "error.type")).isEqualTo("java.lang.IllegalStateException");
    assertThat(process.getLinks()).isEmpty();
  }

  @Test
  void a_negative_bound_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutboxTracing.builder(openTelemetry).maxBaggage(-1))
        .withMessage("maxBaggage is -1, the minimum is 0");
  }
}
