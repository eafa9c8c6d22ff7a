package dev.outbox.micrometer;

import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.publish.SendObserver;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries traces through the outbox by Micrometer's observations: {@code outbox.create} when a
 * message is enqueued, whose context is stored with it, and {@code outbox.send} when the relay
 * hands it to the client. Where OpenTelemetry is used without Micrometer, {@code
 * outbox-opentelemetry} does the same.
 *
 * <p>Safe for use by many threads.
 */
/*
 * The handlers of Micrometer Tracing write the context into the headers, and read it there: this class knows of no tracer.
 * The context that is stored with a single message is current while the client sends it, as with OutboxTracing. A call
 * with many messages has many contexts: its observation stands alone, because observations have no links.
 */
public final class OutboxObservations implements EnqueueObserver, SendObserver {
  private static final String CREATE = "outbox.create";
  private static final String SEND = "outbox.send";
  private static final String SEVERAL = "(several)";

  private final ObservationRegistry registry;
  private final TopicTags topics;
  private final ContextHeaders contextHeaders;

  private OutboxObservations(Builder builder) {
    this.registry = builder.registry;
    this.topics = new TopicTags(builder.topics);
    this.contextHeaders = new ContextHeaders(builder.maxBaggageBytes);
  }

  /** Observations with every setting at its default. */
  public static OutboxObservations create(ObservationRegistry registry) {
    return builder(registry).build();
  }

  public static Builder builder(ObservationRegistry registry) {
    return new Builder(registry);
  }

  @Override
  public Map<String, String> writing(Envelope envelope) {
    if (ContextHeaders.isIn(envelope.headers())) {
      return Map.of();
    }
    Map<String, String> headers = new HashMap<>();
    SenderContext<Map<String, String>> context =
        new SenderContext<>(OutboxObservations::put, Kind.PRODUCER);
    context.setCarrier(headers);
    observation(CREATE, "create", envelope, context).start().stop();
    return contextHeaders.bounded(headers);
  }

  private static void put(@Nullable Map<String, String> headers, String name, String value) {
    if (headers != null) {
      headers.put(name, value);
    }
  }

  @Override
  public Scope sending(List<Envelope> envelopes) {
    Observation observation =
        envelopes.size() == 1 ? sending(envelopes.get(0)) : sendingMany(envelopes);
    return new ObservedSend(observation.start(), envelopes.size());
  }

  private Observation sending(Envelope envelope) {
    ReceiverContext<Map<String, String>> context = new ReceiverContext<>(Map::get, Kind.CLIENT);
    context.setCarrier(envelope.headers());
    return observation(SEND, "send", envelope, context);
  }

  /** The context that it begins goes nowhere: each message has its own. */
  private Observation sendingMany(List<Envelope> envelopes) {
    SenderContext<Map<String, String>> context =
        new SenderContext<>((headers, name, value) -> {}, Kind.CLIENT);
    context.setCarrier(new HashMap<>());
    String topic = envelopes.get(0).topic();
    boolean same = envelopes.stream().allMatch(each -> each.topic().equals(topic));
    return Observation.createNotStarted(SEND, () -> context, registry)
        .contextualName(same ? "send " + topic : "send")
        .lowCardinalityKeyValue(TopicTags.KEY, same ? topics.of(topic) : SEVERAL)
        .highCardinalityKeyValue("messaging.batch.message_count", "" + envelopes.size());
  }

  private Observation observation(
      String name, String operation, Envelope envelope, Observation.Context context) {
    return Observation.createNotStarted(name, () -> context, registry)
        .contextualName(operation + " " + envelope.topic())
        .lowCardinalityKeyValue(TopicTags.KEY, topics.of(envelope.topic()))
        .highCardinalityKeyValue(KeyValue.of("messaging.operation.name", operation))
        .highCardinalityKeyValue("messaging.destination.name", envelope.topic())
        .highCardinalityKeyValue("messaging.message.id", envelope.id().toString());
  }

  /**
   * Settings of observations.
   *
   * <ul>
   *   <li>{@link #topics}: 100
   *   <li>{@link #maxBaggage}: 2 KiB
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private final ObservationRegistry registry;
    private int topics = 100;
    private int maxBaggageBytes = 2048;

    private Builder(ObservationRegistry registry) {
      this.registry = Objects.requireNonNull(registry, "registry");
    }

    /**
     * The most topics that are named in the timers that Micrometer makes of observations; all
     * others are {@code (others)} there. Spans name every topic. Default: 100.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public Builder topics(int most) {
      if (most < 1) {
        throw new IllegalArgumentException("topics is " + most + ", the minimum is 1");
      }
      this.topics = most;
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

    public OutboxObservations build() {
      return new OutboxObservations(this);
    }
  }
}
