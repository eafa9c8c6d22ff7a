package dev.outbox.sqs;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.BrokerGuarantees.Durability;
import dev.outbox.publish.CloudEvents;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/**
 * Publishes to Amazon SQS: delivered is what SQS has answered entry by entry, and messages of one
 * topic and key arrive in order in a FIFO queue, the next when the one before was answered.
 *
 * <p>Safe for use by many threads. {@link #close} begins no other request and leaves the client,
 * which is yours; {@code Relay.builder(store, sqs).owns(client).owns(sqs)} closes both with the
 * relay.
 */
public final class SqsPublisher implements Publisher, AutoCloseable {
  /** How long a FIFO queue drops a repeat of a deduplication id. */
  private static final Duration FIFO_WINDOW = Duration.ofMinutes(5);

  private final SqsSender sender;
  private final Publisher sends;

  private SqsPublisher(SqsSender sender, Publisher sends) {
    this.sender = sender;
    this.sends = sends;
  }

  /**
   * A publisher by this client, with every setting at its default: to the queue that has the name
   * of the topic.
   */
  public static SqsPublisher create(SqsAsyncClient client) {
    return builder(client).build();
  }

  /** Settings of a publisher by this client. */
  public static Builder builder(SqsAsyncClient client) {
    return new Builder(Objects.requireNonNull(client, "client"));
  }

  /** What SQS can hold where nothing is configured otherwise, for {@code Outbox.Builder}. */
  public static MessageLimits limits() {
    return new SqsLimits(SqsMapping.PLAIN, SqsLimits.DEFAULT_SIZE);
  }

  @Override
  public void publish(Flight flight) throws Exception {
    Together.begin(() -> sends.publish(flight));
  }

  /** In one flight too: the next of a key starts when the one before was delivered. */
  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  @Override
  public BrokerGuarantees brokerGuarantees() {
    return sends.brokerGuarantees();
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return sends.unanswered(envelope, silence);
  }

  /** The same client; closing one closes both. */
  @Override
  public SqsPublisher classify(Function<Throwable, Ack> classifier) {
    return new SqsPublisher(sender, sends.classify(classifier));
  }

  /** The same client; closing one closes both. */
  @Override
  public SqsPublisher observed(SendObserver observer) {
    return new SqsPublisher(sender, sends.observed(observer));
  }

  /** Begins no other request. A second call does nothing. */
  @Override
  public void close() {
    sender.close();
  }

  /**
   * Settings of a publisher.
   *
   * <ul>
   *   <li>{@link #queue}: the queue that has the name of the topic
   *   <li>{@link #cloudEvents}: plain messages
   *   <li>{@link #maxMessageSize}: 1 MiB
   *   <li>{@link #requestsAtOnce}: 16 for each queue
   *   <li>{@link #publishDeadline}: 30 s
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    /** A send waits for the URL of its queue, for one round of requests, and for its own. */
    private static final int WAITS = 3;

    private static final int SEND_PART = 2;
    private static final int ENTRIES = 10;

    private final SqsAsyncClient client;
    private Function<Envelope, String> queues = SqsMapping.PLAIN.queues();
    private BrokerGuarantees guarantees = BrokerGuarantees.nothing().durable(Durability.REPLICATED);
    private @Nullable CloudEvents cloudEvents;
    private int maxMessageSize = SqsLimits.DEFAULT_SIZE;
    private int requestsAtOnce = 16;
    private Duration publishDeadline = Duration.ofSeconds(30);

    private Builder(SqsAsyncClient client) {
      this.client = client;
    }

    /**
     * The name or the URL of the queue of every message. One that ends in {@code .fifo} keeps the
     * order of one topic and key and drops repeats for 5 minutes, which is declared to the relay.
     */
    public Builder queue(String nameOrUrl) {
      Objects.requireNonNull(nameOrUrl, "nameOrUrl");
      queue(envelope -> nameOrUrl);
      if (SqsMapping.isFifo(nameOrUrl)) {
        guarantees = guarantees.dedupes(FIFO_WINDOW);
      }
      return this;
    }

    /**
     * The name or the URL of the queue of a message. Messages of one topic and key must go to one
     * FIFO queue, or they lose their order. A message for which it returns null is rejected; if it
     * throws, the topic waits as in an outage. Are all of them FIFO, then say so by {@code
     * withGuarantees}. Default: the queue that has the name of the topic.
     */
    public Builder queue(Function<Envelope, String> nameOrUrl) {
      this.queues = Objects.requireNonNull(nameOrUrl, "nameOrUrl");
      this.guarantees = BrokerGuarantees.nothing().durable(Durability.REPLICATED);
      return this;
    }

    /**
     * Publishes CloudEvents 1.0 in structured mode: the body is one JSON text. There is no binding
     * of CloudEvents to SQS, and so no binary mode. Default: plain messages.
     *
     * @throws IllegalArgumentException when they are binary
     */
    public Builder cloudEvents(CloudEvents events) {
      if (!events.isStructured()) {
        throw new IllegalArgumentException(
            "CloudEvents have no binary mode for SQS; use CloudEvents.structured(source)");
      }
      this.cloudEvents = events;
      return this;
    }

    /**
     * The most bytes of a message with its attributes, and of a request. Default: 1 MiB, which SQS
     * takes since 2025; servers that imitate it often take 256 KiB.
     *
     * @throws IllegalArgumentException when it is not 1 KiB to 1 MiB
     */
    public Builder maxMessageSize(int bytes) {
      if (bytes < 1024 || bytes > SqsLimits.DEFAULT_SIZE) {
        throw new IllegalArgumentException(
            "maxMessageSize is %d, it must be 1024 to %d".formatted(bytes, SqsLimits.DEFAULT_SIZE));
      }
      this.maxMessageSize = bytes;
      return this;
    }

    /**
     * How many requests of up to ten messages are under way at a time for each queue. Default: 16;
     * the client's own bound of connections is 50.
     *
     * @throws IllegalArgumentException when it is below 1
     */
    public Builder requestsAtOnce(int requests) {
      if (requests < 1) {
        throw new IllegalArgumentException("requestsAtOnce is " + requests + ", the minimum is 1");
      }
      this.requestsAtOnce = requests;
      return this;
    }

    /**
     * The publish deadline of the relay. A request with all its retries takes a sixth of it at
     * most, whatever the client's own {@code apiCallTimeout}. Default: 30 s, as the relay's.
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

    /** What SQS can hold of a message as it is mapped here, for {@code Outbox.Builder.limits}. */
    public MessageLimits limits() {
      return sqsLimits();
    }

    private SqsLimits sqsLimits() {
      return new SqsLimits(new SqsMapping(queues, cloudEvents), maxMessageSize);
    }

    /** The publisher. It connects with the first message. */
    public SqsPublisher build() {
      Duration longest = publishDeadline.dividedBy(SEND_PART);
      SqsSender sender =
          new SqsSender(client, sqsLimits(), longest.dividedBy(WAITS), requestsAtOnce);
      Publisher sends =
          Publisher.async(sender::send, requestsAtOnce * ENTRIES)
              .classify(SqsErrors::read)
              .longestSend(longest)
              .withGuarantees(guarantees);
      return new SqsPublisher(sender, sends);
    }
  }
}
