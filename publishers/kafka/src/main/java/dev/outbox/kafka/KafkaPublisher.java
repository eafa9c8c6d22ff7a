package dev.outbox.kafka;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Ack;
import dev.outbox.publish.CloudEvents;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to Apache Kafka: delivered is what every in-sync replica has, and messages of a key
 * arrive in order, the next of a key when the one before was acknowledged.
 *
 * <p>Safe for use by many threads. {@link #close} closes the producer that it made itself, and
 * leaves one that it was given; {@code Relay.builder(store, kafka).owns(kafka)} does so with the
 * relay.
 */
public final class KafkaPublisher implements Publisher, AutoCloseable {
  private final KafkaSender sender;
  private final Publisher sends;

  private KafkaPublisher(KafkaSender sender, Publisher sends) {
    this.sender = sender;
    this.sends = sends;
  }

  /**
   * A publisher by a producer of this configuration, with every setting at its default.
   *
   * @throws IllegalArgumentException when the configuration would weaken durability or order, or
   *     outlast a flight, with the name of the setting
   */
  public static KafkaPublisher create(Map<String, ?> config) {
    return builder(config).build();
  }

  /**
   * Settings of a publisher by a producer of this configuration. What is left out is set: {@code
   * acks=all}, {@code enable.idempotence=true}, {@code linger.ms=0}, and time-outs within the
   * publish deadline. Serializers are not used, because payloads are bytes already.
   */
  public static Builder builder(Map<String, ?> config) {
    return new Builder(Objects.requireNonNull(config, "config"), null);
  }

  /**
   * Settings of a publisher by your producer. Its configuration cannot be read, so nothing of it is
   * checked: see {@code docs/brokers/kafka.md} for what it must be.
   */
  public static Builder builder(Producer<byte[], byte[]> producer) {
    return new Builder(Map.of(), Objects.requireNonNull(producer, "producer"));
  }

  /** What Kafka can hold where nothing is configured otherwise, for {@code Outbox.Builder}. */
  public static MessageLimits limits() {
    return new RecordLimits(RecordMapping.PLAIN, RecordLimits.DEFAULT_REQUEST);
  }

  @Override
  public void publish(Flight flight) throws Exception {
    sends.publish(flight);
  }

  /** In one flight too: the next of a key starts when the one before was delivered. */
  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return sends.unanswered(envelope, silence);
  }

  /** The same producer; closing one closes both. */
  @Override
  public KafkaPublisher classify(Function<Throwable, Ack> classifier) {
    return new KafkaPublisher(sender, sends.classify(classifier));
  }

  /** The same producer; closing one closes both. */
  @Override
  public KafkaPublisher observed(SendObserver observer) {
    return new KafkaPublisher(sender, sends.observed(observer));
  }

  /** Waits for what is on its way, no longer than a send may take. A second call does nothing. */
  @Override
  public void close() {
    sender.close();
  }

  /**
   * Settings of a publisher.
   *
   * <ul>
   *   <li>{@link #topic}: the message's topic
   *   <li>{@link #cloudEvents}: plain records
   *   <li>{@link #publishDeadline}: 30 s
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private final Map<String, ?> config;
    private final @Nullable Producer<byte[], byte[]> producer;
    private Function<Envelope, String> topics = Envelope::topic;
    private @Nullable CloudEvents cloudEvents;
    private Duration publishDeadline = Duration.ofSeconds(30);

    private Builder(Map<String, ?> config, @Nullable Producer<byte[], byte[]> producer) {
      this.config = config;
      this.producer = producer;
    }

    /**
     * The topic in Kafka. Messages of one topic and key must go to one topic, or they lose their
     * order. A message for which it returns null is rejected; if it throws, the topic waits as in
     * an outage. Limits call it at enqueue too: there an exception fails the enqueue. Default: the
     * message's topic.
     */
    public Builder topic(Function<Envelope, String> topic) {
      this.topics = Objects.requireNonNull(topic, "topic");
      return this;
    }

    /**
     * Publishes CloudEvents 1.0: in binary mode the attributes are {@code ce_} headers and the
     * value is the payload, in structured mode the value is one JSON text. Default: plain records.
     */
    public Builder cloudEvents(CloudEvents events) {
      this.cloudEvents = Objects.requireNonNull(events, "events");
      return this;
    }

    /**
     * The publish deadline of the relay, within which every send must end. With your producer it
     * has no effect. Default: 30 s, as the relay's.
     *
     * @throws IllegalArgumentException when it is below 1 s
     */
    public Builder publishDeadline(Duration deadline) {
      if (deadline.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException(
            "publishDeadline is " + deadline + ", the minimum is PT1S");
      }
      this.publishDeadline = deadline;
      return this;
    }

    /** What Kafka can hold of a message as it is mapped here, for {@code Outbox.Builder.limits}. */
    public MessageLimits limits() {
      return recordLimits(ProducerSettings.maxRequestSize(config));
    }

    /**
     * The record that the publisher sends for this message, for code that sends it itself.
     *
     * <pre>{@code
     * ProducerRecord<byte[], byte[]> record = KafkaPublisher.builder(config).record(envelope);
     * }</pre>
     *
     * @throws IllegalArgumentException when Kafka cannot hold it, with what is wrong and the remedy
     */
    public ProducerRecord<byte[], byte[]> record(Envelope envelope) {
      RecordLimits limits = recordLimits(ProducerSettings.maxRequestSize(config));
      String topic = limits.mapping().topic(envelope);
      String refusal = limits.ofNames(envelope, topic);
      if (refusal == null) {
        ProducerRecord<byte[], byte[]> record = limits.mapping().record(envelope, topic);
        refusal = limits.ofSize(record);
        if (refusal == null) {
          return record;
        }
      }
      throw new IllegalArgumentException(refusal);
    }

    private RecordLimits recordLimits(int maxRequestSize) {
      return new RecordLimits(new RecordMapping(topics, cloudEvents), maxRequestSize);
    }

    /**
     * The publisher.
     *
     * @throws IllegalArgumentException when the configuration would weaken durability or order, or
     *     outlast a flight, with the name of the setting
     * @throws org.apache.kafka.common.KafkaException when Kafka refuses the configuration
     */
    public KafkaPublisher build() {
      if (producer != null) {
        return publisher(
            KafkaSender.by(producer, recordLimits(Integer.MAX_VALUE)), UnaryOperator.identity());
      }
      ProducerSettings settings = ProducerSettings.of(config, publishDeadline);
      ProducerLink.Source source =
          () ->
              new KafkaProducer<>(
                  settings.config(), new ByteArraySerializer(), new ByteArraySerializer());
      RecordLimits limits = recordLimits(ProducerSettings.maxRequestSize(config));
      return publisher(
          KafkaSender.own(source, limits, settings.deliveryTimeout()),
          sends -> sends.longestSend(settings.longestSend()));
    }

    private static KafkaPublisher publisher(KafkaSender sender, UnaryOperator<Publisher> timed) {
      Publisher sends = Publisher.async(sender::send).classify(KafkaErrors::read);
      return new KafkaPublisher(sender, timed.apply(sends));
    }
  }
}
