package dev.outbox.opentelemetry;

import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.publish.SendObserver;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Carries traces through the outbox, by OpenTelemetry's conventions for messaging: a span {@code
 * create} when a message is enqueued, whose context is stored with it; a span {@code send} when the
 * relay hands it to the client; a span {@code process} at the consumer.
 *
 * <p>Safe for use by many threads.
 */
/*
 * What is stored is the context of `create`, and what the broker's message carries is the same, because publishers send
 * headers as they are. So the consumer's span hangs below the request even if nobody traces the relay.
 *
 * The context that is stored with a single message is current while the client sends it, below the span `send`: an agent
 * that instruments the client replaces the header `traceparent` by its own span, which is in the same trace then. A call
 * with many messages has many contexts: its span stands alone and links to those that are sampled.
 */
public final class OutboxTracing implements EnqueueObserver, SendObserver {
  private static final String NAME = "dev.outbox";

  private final Tracer tracer;
  private final Carriers carriers;
  private final String system;
  private final boolean onlySampled;

  private OutboxTracing(Builder builder) {
    this.tracer = builder.openTelemetry.getTracer(NAME);
    this.carriers =
        new Carriers(
            builder.openTelemetry.getPropagators().getTextMapPropagator(), builder.maxBaggageBytes);
    this.system = builder.system;
    this.onlySampled = builder.onlySampled;
  }

  /** Tracing with every setting at its default. */
  public static OutboxTracing create(OpenTelemetry openTelemetry) {
    return builder(openTelemetry).build();
  }

  public static Builder builder(OpenTelemetry openTelemetry) {
    return new Builder(openTelemetry);
  }

  @Override
  public Map<String, String> writing(Envelope envelope) {
    if (carriers.isIn(envelope.headers())) {
      return Map.of();
    }
    Span span = span("create", envelope.topic(), SpanKind.PRODUCER).startSpan();
    if (span.isRecording()) {
      span.setAttribute(Messaging.MESSAGE_ID, envelope.id().toString());
      span.setAttribute(Messaging.BODY_SIZE, (long) envelope.payload().bytes().length);
    }
    try {
      boolean isStored = !onlySampled || span.getSpanContext().isSampled();
      return isStored ? carriers.headers(Context.current().with(span)) : Map.of();
    } finally {
      span.end();
    }
  }

  @Override
  public Scope sending(List<Envelope> envelopes) {
    return envelopes.size() == 1 ? sending(envelopes.get(0)) : sendingMany(envelopes);
  }

  private Scope sending(Envelope envelope) {
    Context stored = carriers.context(envelope.headers());
    Span creator = Span.fromContext(stored);
    if (isUnsampled(creator.getSpanContext())) {
      return new SendSpan(creator, stored, 1);
    }
    Span span = span("send", envelope.topic(), SpanKind.CLIENT).setParent(stored).startSpan();
    if (span.isRecording()) {
      span.addLink(creator.getSpanContext());
      span.setAttribute(Messaging.MESSAGE_ID, envelope.id().toString());
    }
    return new SendSpan(span, stored.with(span), 1);
  }

  /** The relay follows what was decided for the request: such a message gets no span of its own. */
  private boolean isUnsampled(SpanContext creator) {
    return (creator.isValid() || onlySampled) && !creator.isSampled();
  }

  private Scope sendingMany(List<Envelope> envelopes) {
    List<SpanContext> creators =
        envelopes.stream()
            .map(envelope -> carriers.creator(envelope.headers()))
            .filter(creator -> !isUnsampled(creator))
            .toList();
    if (creators.isEmpty()) {
      return () -> {};
    }
    String topic = envelopes.get(0).topic();
    boolean same = envelopes.stream().allMatch(each -> each.topic().equals(topic));
    SpanBuilder span =
        (same ? span("send", topic, SpanKind.CLIENT) : span("send", SpanKind.CLIENT))
            .setNoParent()
            .setAttribute(Messaging.BATCH_SIZE, (long) envelopes.size());
    creators.forEach(span::addLink);
    Span started = span.startSpan();
    return new SendSpan(started, Context.root().with(started), envelopes.size());
  }

  /**
   * Begins the span of a message that is being handled, on this thread: it goes on in the trace
   * that the headers carry. Close it on the same thread.
   */
  @SuppressWarnings("MustBeClosedChecker") // the caller closes it, with what is returned
  public Processing process(String topic, Map<String, String> headers) {
    Context stored = carriers.context(headers);
    Span span =
        span("process", topic, SpanKind.CONSUMER)
            .setParent(stored)
            .addLink(Span.fromContext(stored).getSpanContext())
            .startSpan();
    return new Processing(span, stored.with(span).makeCurrent());
  }

  private SpanBuilder span(String operation, String topic, SpanKind kind) {
    return tracer
        .spanBuilder(operation + " " + topic)
        .setSpanKind(kind)
        .setAttribute(Messaging.SYSTEM, system)
        .setAttribute(Messaging.OPERATION_NAME, operation)
        .setAttribute(Messaging.OPERATION_TYPE, operation)
        .setAttribute(Messaging.DESTINATION, topic);
  }

  private SpanBuilder span(String operation, SpanKind kind) {
    return tracer
        .spanBuilder(operation)
        .setSpanKind(kind)
        .setAttribute(Messaging.SYSTEM, system)
        .setAttribute(Messaging.OPERATION_NAME, operation)
        .setAttribute(Messaging.OPERATION_TYPE, operation);
  }

  /**
   * A message that is being handled.
   *
   * <p>Used by the thread that began it.
   */
  public static final class Processing implements AutoCloseable {
    private final Span span;
    private final io.opentelemetry.context.Scope current;

    private Processing(Span span, io.opentelemetry.context.Scope current) {
      this.span = span;
      this.current = current;
    }

    /** It failed: the span says so. */
    public void failed(Throwable cause) {
      span.recordException(cause);
      span.setStatus(StatusCode.ERROR, String.valueOf(cause.getMessage()));
      span.setAttribute(Messaging.ERROR_TYPE, cause.getClass().getName());
    }

    @Override
    public void close() {
      current.close();
      span.end();
    }
  }

  /**
   * Settings of tracing.
   *
   * <ul>
   *   <li>{@link #system}: {@code outbox}
   *   <li>{@link #maxBaggage}: 2 KiB
   *   <li>{@link #onlySampled}: no
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private final OpenTelemetry openTelemetry;
    private String system = "outbox";
    private int maxBaggageBytes = 2048;
    private boolean onlySampled;

    private Builder(OpenTelemetry openTelemetry) {
      this.openTelemetry = Objects.requireNonNull(openTelemetry, "openTelemetry");
    }

    /** The broker, in {@code messaging.system}: {@code kafka}, {@code rabbitmq}. */
    public Builder system(String system) {
      this.system = Objects.requireNonNull(system, "system");
      return this;
    }

    /**
     * The most bytes of baggage that are stored with a message. More is left out, and the log says
     * so once: the headers of a message are bounded, and baggage must not keep it from being
     * written. Default: 2 KiB.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public Builder maxBaggage(int bytes) {
      if (bytes < 0) {
        throw new IllegalArgumentException("maxBaggage is " + bytes + ", the minimum is 0");
      }
      this.maxBaggageBytes = bytes;
      return this;
    }

    /**
     * Stores a context only with messages whose trace is sampled, which saves about 75 bytes in
     * each other message. The consumer of such a message gets no baggage and begins its own trace,
     * which its own sampler may record. Set it at the relay too: a message without a context gets
     * no span there then. Default: every context is stored.
     */
    public Builder onlySampled() {
      this.onlySampled = true;
      return this;
    }

    public OutboxTracing build() {
      return new OutboxTracing(this);
    }
  }
}
