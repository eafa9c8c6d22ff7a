package dev.outbox.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.outbox.Outbox;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.ManualRelay;
import dev.outbox.testkit.SettableClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
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

/** Observations as Micrometer Tracing makes spans of them, by its bridge to OpenTelemetry. */
class OutboxObservationsTest {
  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final SdkTracerProvider provider =
      SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build();
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final ObservationRegistry registry = ObservationRegistry.create();
  private final InMemoryStore store = InMemoryStore.create();
  private final InMemoryBroker broker = InMemoryBroker.create();
  private final OutboxObservations observations;
  private final Outbox outbox;

  /** As Spring Boot wires it. */
  OutboxObservationsTest() {
    io.opentelemetry.api.trace.Tracer tracer = provider.get("test");
    OtelTracer bridge = new OtelTracer(tracer, new OtelCurrentTraceContext(), event -> {});
    OtelPropagator propagator =
        new OtelPropagator(
            ContextPropagators.create(
                TextMapPropagator.composite(
                    W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())),
            tracer);
    registry
        .observationConfig()
        .observationHandler(new DefaultMeterObservationHandler(meters))
        .observationHandler(
            new FirstMatchingCompositeObservationHandler(
                new PropagatingSenderTracingObservationHandler<>(bridge, propagator),
                new PropagatingReceiverTracingObservationHandler<>(bridge, propagator),
                new DefaultTracingObservationHandler(bridge)));
    observations = OutboxObservations.builder(registry).topics(1).build();
    outbox = Outbox.builder(store).observer(observations).build();
  }

  @AfterEach
  void close() {
    provider.close();
  }

  private void request(Message... messages) {
    Observation.createNotStarted("http.server.requests", registry)
        .contextualName("post /orders")
        .observe(() -> commit(messages));
  }

  private void commit(Message... messages) {
    try (Connection connection = store.begin()) {
      outbox.enqueue(connection, List.of(messages));
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void drain(Publisher publisher) {
    try (ManualRelay relay =
        ManualRelay.builder(store, publisher.observed(observations))
            .grace(Duration.ofMillis(1))
            .build()) {
      relay.drainNow();
    }
  }

  private SpanData span(String name) {
    List<SpanData> named =
        exporter.getFinishedSpanItems().stream()
            .filter(span -> span.getName().equals(name))
            .toList();
    assertThat(named).as(name).hasSize(1);
    return named.get(0);
  }

  private static Message order(String text) {
    return Message.to("orders.placed").key("k").text(text);
  }

  @Test
  void a_trace_goes_from_the_request_over_the_relay_into_the_brokers_headers() {
    request(order("one"));
    drain(broker.publisher());

    SpanData request = span("post /orders");
    SpanData create = span("create orders.placed");
    SpanData send = span("send orders.placed");
    assertThat(create.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(create.getParentSpanId()).isEqualTo(request.getSpanId());
    assertThat(send.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(send.getParentSpanId()).isEqualTo(create.getSpanId());
    assertThat(List.of(create, send))
        .extracting(SpanData::getTraceId)
        .containsOnly(request.getTraceId());
    assertThat(broker.messages().get(0).envelope().headers().get("traceparent"))
        .isEqualTo("00-%s-%s-01".formatted(create.getTraceId(), create.getSpanId()));
  }

  @Test
  void the_stored_context_and_its_baggage_are_current_while_the_client_sends() {
    List<String> seen = new ArrayList<>();
    try (Scope current = Baggage.builder().put("tenant", "north").build().makeCurrent()) {
      assertThat(current).isNotNull();
      request(order("one"));
    }
    drain(
        Publisher.blocking(
            envelope -> {
              seen.add(Baggage.current().getEntryValue("tenant"));
              seen.add(Span.current().getSpanContext().getSpanId());
            }));

    assertThat(seen).containsExactly("north", span("send orders.placed").getSpanId());
    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @Test
  void a_send_that_fails_is_an_error_and_a_timer_has_the_outcome() {
    request(order("one"));
    drain(
        Publisher.async(
            envelope -> CompletableFuture.failedFuture(new ConnectException("refused"))));

    assertThat(span("send orders.placed").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(
            meters
                .get("outbox.send")
                .tags("topic", "orders.placed", "outcome", "unavailable")
                .timer()
                .count())
        .isEqualTo(1);
  }

  @Test
  void a_send_that_the_client_never_answers_ends_when_the_relay_gives_it_up() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    SettableClock clock = SettableClock.create();
    InMemoryStore slow = InMemoryStore.builder().clock(clock).build();
    try (Connection connection = slow.begin()) {
      Outbox.builder(slow).observer(observations).build().enqueue(connection, order("one"));
      connection.commit();
    }
    try (ManualRelay relay =
        ManualRelay.builder(slow, Publisher.async(sent -> answer).observed(observations))
            .clock(clock)
            .publishDeadline(Duration.ofSeconds(5))
            .retry((attempts, failing) -> Optional.of(Duration.ofMinutes(1)))
            .build()) {
      relay.drainNow();
      assertThat(meters.get("outbox.send.active").longTaskTimer().activeTasks()).isEqualTo(1);

      clock.advance(Duration.ofSeconds(5));
      relay.turn();
      assertThat(meters.get("outbox.send.active").longTaskTimer().activeTasks()).isZero();
      Timer timer = meters.get("outbox.send").timer();
      assertThat(timer.count()).isEqualTo(1);
      assertThat(timer.getId().getTag("outcome")).isEqualTo("failed");
      assertThat(timer.getId().getTag("error")).isEqualTo("TimeoutException");

      answer.complete("too late");
      assertThat(meters.get("outbox.send").timers()).containsExactly(timer);
      assertThat(timer.count()).isEqualTo(1);
    }
  }

  @Test
  void spans_name_every_topic_and_timers_as_many_as_are_allowed() {
    request(order("one"), Message.to("orders.paid").text("two"));

    assertThat(span("create orders.paid")).isNotNull();
    assertThat(meters.get("outbox.create").tag("topic", "(others)").timer().count()).isEqualTo(1);
  }

  @Test
  void a_call_for_several_topics_is_told_of_none_of_them() {
    request(order("one"), Message.to("mails").text("two"));
    drain(broker.publisher());
    List<Envelope> envelopes = broker.messages().stream().map(Arrival::envelope).toList();
    meters.clear();
    exporter.reset();

    SendObserver.Scope call = observations.sending(envelopes);
    envelopes.forEach(envelope -> call.answered(envelope, Ack.delivered()));
    call.close();

    assertThat(span("send")).isNotNull();
    assertThat(meters.get("outbox.send").timer().getId().getTag("topic")).isEqualTo("(several)");
  }

  @Test
  void a_call_with_many_messages_stands_alone() {
    request(order("one"), order("two"));
    drain(broker.publisher());
    List<Envelope> envelopes = broker.messages().stream().map(Arrival::envelope).toList();
    exporter.reset();

    SendObserver.Scope call = observations.sending(envelopes);
    call.answered(envelopes.get(0), Ack.delivered());
    call.close();
    assertThat(exporter.getFinishedSpanItems()).as("one has no answer").isEmpty();
    call.answered(envelopes.get(1), Ack.rejected("too large"));

    assertThat(span("send orders.placed").getParentSpanContext().isValid()).isFalse();
    assertThat(meters.get("outbox.send").tag("outcome", "rejected").timer().count()).isEqualTo(1);
  }

  @Test
  void a_context_that_the_application_set_itself_stays() {
    String own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    request(Message.to("orders.placed").header("traceparent", own).text("one"));
    drain(broker.publisher());

    assertThat(broker.messages().get(0).envelope().headers()).isEqualTo(Map.of("traceparent", own));
    assertThat(span("send orders.placed").getTraceId())
        .isEqualTo("0af7651916cd43dd8448eb211c80319c");
  }

  @Test
  void baggage_beyond_the_bound_is_left_out_and_the_message_is_written() {
    Baggage heavy = Baggage.builder().put("list", "x".repeat(9000)).build();
    try (Scope current = heavy.makeCurrent()) {
      assertThat(current).isNotNull();
      request(order("one"));
    }
    drain(broker.publisher());

    assertThat(broker.messages().get(0).envelope().headers()).containsOnlyKeys("traceparent");
  }

  @Test
  void without_a_tracer_messages_get_no_header() {
    Outbox plain =
        Outbox.builder(store)
            .observer(OutboxObservations.create(ObservationRegistry.create()))
            .build();
    try (Connection connection = store.begin()) {
      plain.enqueue(connection, order("one"));
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    drain(broker.publisher());

    assertThat(broker.messages().get(0).envelope().headers()).isEmpty();
  }

  @Test
  void bounds_that_make_no_sense_are_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutboxObservations.builder(registry).maxBaggage(-1))
        .withMessage("maxBaggage is -1, the minimum is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutboxObservations.builder(registry).topics(0))
        .withMessage("topics is 0, the minimum is 1");
  }
}
