package dev.outbox.nats;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.CloudEvents;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import io.nats.client.Connection;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to NATS JetStream: delivered is what a stream has stored and acknowledged, and messages
 * of a key arrive in order, the next of a key when the one before was acknowledged. A repeat within
 * the stream's duplicate window is dropped by the server.
 *
 * <p>Safe for use by many threads. {@link #close} closes the connection that it made itself, and
 * leaves one that it was given; {@code Relay.builder(store, nats).owns(nats)} does so with the
 * relay.
 */
public final class NatsPublisher implements Publisher, AutoCloseable {
  private final NatsSender sender;
  private final Publisher sends;
  private final BrokerGuarantees guarantees;

  private NatsPublisher(NatsSender sender, Publisher sends, BrokerGuarantees guarantees) {
    this.sender = sender;
    this.sends = sends;
    this.guarantees = guarantees;
  }

  /**
   * A publisher by a connection with these options, with every setting at its default: to the
   * subject that has the name of the topic. It connects with the first message.
   *
   * @throws IllegalArgumentException when an option hides the server's answers, with its name
   */
  public static NatsPublisher create(Options options) {
    return builder(options).build();
  }

  /**
   * Settings of a publisher by a connection with these options. They are copied; the copy's
   * time-outs and pings are brought within the publish deadline, and it neither reconnects nor
   * keeps what was not sent, because the publisher renews what is lost.
   */
  public static Builder builder(Options options) {
    return new Builder(Objects.requireNonNull(options, "options"), null);
  }

  /**
   * Settings of a publisher by your connection. It must have {@code reconnectBufferSize(0)}, or
   * what was reported as failed is sent after a reconnect; other time-outs are not checked.
   */
  public static Builder builder(Connection connection) {
    Objects.requireNonNull(connection, "connection");
    return new Builder(connection.getOptions(), connection);
  }

  /** What NATS can hold where nothing is configured otherwise, for {@code Outbox.Builder}. */
  public static MessageLimits limits() {
    return new NatsLimits(NatsMapping.PLAIN, NatsLimits.DEFAULT_PAYLOAD);
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

  /** JetStream drops repeats of a message id within the duplicate window. */
  @Override
  public BrokerGuarantees brokerGuarantees() {
    return guarantees;
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return sends.unanswered(envelope, silence);
  }

  /** The same connection; closing one closes both. */
  @Override
  public NatsPublisher classify(Function<Throwable, Ack> classifier) {
    return new NatsPublisher(sender, sends.classify(classifier), guarantees);
  }

  /** The same connection; closing one closes both. */
  @Override
  public NatsPublisher observed(SendObserver observer) {
    return new NatsPublisher(sender, sends.observed(observer), guarantees);
  }

  /** Answers what is not acknowledged as unavailable. A second call does nothing. */
  @Override
  public void close() {
    sender.close();
  }

  /**
   * Settings of a publisher.
   *
   * <ul>
   *   <li>{@link #subject}: the topic
   *   <li>{@link #guaranteesOf}: a duplicate window of 2 minutes, nothing said of durability
   *   <li>{@link #cloudEvents}: plain messages
   *   <li>{@link #maxPayload}: 1 MiB
   *   <li>{@link #publishDeadline}: 30 s
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    /** JetStream's own default. */
    private static final Duration DUPLICATE_WINDOW = Duration.ofMinutes(2);

    private final Options options;
    private final @Nullable Connection connection;
    private Function<Envelope, String> subjects = NatsMapping.PLAIN.subjects();
    private BrokerGuarantees guarantees = BrokerGuarantees.nothing().dedupes(DUPLICATE_WINDOW);
    private @Nullable CloudEvents cloudEvents;
    private long maxPayload = NatsLimits.DEFAULT_PAYLOAD;
    private Duration publishDeadline = Duration.ofSeconds(30);

    private Builder(Options options, @Nullable Connection connection) {
      this.options = options;
      this.connection = connection;
    }

    /**
     * The subject of a message. Messages of one topic and key must reach one stream, or they lose
     * their order. A message for which it returns null is rejected; if it throws, the topic waits
     * as in an outage. Limits call it at enqueue too: there an exception fails the enqueue.
     * Default: the topic.
     */
    public Builder subject(Function<Envelope, String> subject) {
      this.subjects = Objects.requireNonNull(subject, "subject");
      return this;
    }

    /**
     * The configuration of the stream, of which the publisher declares the duplicate window and
     * what outlives a delivered message: several servers, a disk, or the memory of one. With
     * several streams it is the weakest. Default: a window of 2 minutes, as JetStream's, and
     * nothing else.
     */
    public Builder guaranteesOf(StreamConfiguration stream) {
      BrokerGuarantees durable = BrokerGuarantees.nothing().durable(durability(stream));
      Duration window = stream.getDuplicateWindow();
      this.guarantees =
          window == null || window.isZero() || window.isNegative()
              ? durable
              : durable.dedupes(window);
      return this;
    }

    private static BrokerGuarantees.Durability durability(StreamConfiguration stream) {
      if (stream.getReplicas() > 1) {
        return BrokerGuarantees.Durability.REPLICATED;
      }
      return stream.getStorageType() == StorageType.File
          ? BrokerGuarantees.Durability.DISK
          : BrokerGuarantees.Durability.MEMORY;
    }

    /**
     * Publishes CloudEvents 1.0: in binary mode the attributes are {@code ce-} headers and the body
     * is the payload, in structured mode the body is one JSON text. Default: plain messages.
     */
    public Builder cloudEvents(CloudEvents events) {
      this.cloudEvents = Objects.requireNonNull(events, "events");
      return this;
    }

    /**
     * The server's {@code max_payload} in bytes, which bounds headers and payload together. A
     * server that has less refuses by itself. Default: 1 MiB.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public Builder maxPayload(long bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("maxPayload is " + bytes + ", the minimum is 1");
      }
      this.maxPayload = bytes;
      return this;
    }

    /**
     * The publish deadline of the relay, within which an answer that does not come must be noticed.
     * Default: 30 s, as the relay's.
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

    /** What NATS can hold of a message as it is mapped here, for {@code Outbox.Builder}. */
    public MessageLimits limits() {
      return natsLimits();
    }

    private NatsLimits natsLimits() {
      return new NatsLimits(new NatsMapping(subjects, cloudEvents), maxPayload);
    }

    /**
     * The publisher. It connects with the first message.
     *
     * @throws IllegalArgumentException when an option hides the server's answers, or keeps messages
     *     for a later connection, with its name
     */
    public NatsPublisher build() {
      NatsSender sender = new NatsSender(natsLimits(), link());
      Publisher sends = Publisher.async(sender::send).classify(NatsErrors::read);
      return new NatsPublisher(sender, sends, guarantees);
    }

    private NatsLink link() {
      if (connection == null) {
        return NatsLink.own(ConnectionOptions.fitting(options, publishDeadline));
      }
      ConnectionOptions.require(options, publishDeadline);
      try {
        return NatsLink.on(connection);
      } catch (IOException e) {
        throw new UncheckedIOException("the connection that was given cannot be used: " + e, e);
      }
    }
  }
}
