package dev.outbox.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Publishes to RabbitMQ: delivered is what the broker has routed to a queue and confirmed, and
 * messages of a key arrive in order, the next of a key when the one before was confirmed.
 *
 * <p>Safe for use by many threads. {@link #close} closes the connection that it made itself, and
 * leaves one that it was given; {@code Relay.builder(store, rabbit).owns(rabbit)} does so with the
 * relay.
 */
public final class RabbitPublisher implements Publisher, AutoCloseable {
  private final RabbitSender sender;
  private final Publisher sends;

  private RabbitPublisher(RabbitSender sender, Publisher sends) {
    this.sender = sender;
    this.sends = sends;
  }

  /**
   * A publisher by a connection of this factory, with every setting at its default: to the queue
   * that has the name of the topic. It connects with the first message.
   */
  public static RabbitPublisher create(ConnectionFactory factory) {
    return builder(factory).build();
  }

  /**
   * Settings of a publisher by a connection of this factory. The factory is copied; the copy's
   * time-outs and heartbeat are brought within the publish deadline, and its automatic recovery is
   * off, because the publisher renews what is lost.
   */
  public static Builder builder(ConnectionFactory factory) {
    return new Builder(Objects.requireNonNull(factory, "factory"), null);
  }

  /**
   * Settings of a publisher by your connection, on its own channels. Its time-outs are not checked,
   * and a connection that is lost stays lost unless it recovers itself.
   */
  public static Builder builder(Connection connection) {
    return new Builder(new ConnectionFactory(), Objects.requireNonNull(connection, "connection"));
  }

  /** What RabbitMQ can hold where nothing is configured otherwise, for {@code Outbox.Builder}. */
  public static MessageLimits limits() {
    return AmqpLimits.of(AmqpMapping.PLAIN, 0, AmqpLimits.DEFAULT_SIZE);
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

  /** The same connection; closing one closes both. */
  @Override
  public RabbitPublisher classify(Function<Throwable, Ack> classifier) {
    return new RabbitPublisher(sender, sends.classify(classifier));
  }

  /** The same connection; closing one closes both. */
  @Override
  public RabbitPublisher observed(SendObserver observer) {
    return new RabbitPublisher(sender, sends.observed(observer));
  }

  /** Answers what is not confirmed as unavailable. A second call does nothing. */
  @Override
  public void close() {
    sender.close();
  }

  /**
   * Settings of a publisher.
   *
   * <ul>
   *   <li>{@link #destination}, {@link #exchange}: the queue that has the name of the topic
   *   <li>{@link #addresses}: host and port of the factory
   *   <li>{@link #maxMessageSize}: 128 MiB
   *   <li>{@link #publishDeadline}: 30 s
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private final ConnectionFactory factory;
    private final @Nullable Connection connection;
    private Function<Envelope, Destination> destinations = AmqpMapping.PLAIN.destinations();
    private List<Address> addresses = List.of();
    private long maxMessageSize = AmqpLimits.DEFAULT_SIZE;
    private Duration publishDeadline = Duration.ofSeconds(30);

    private Builder(ConnectionFactory factory, @Nullable Connection connection) {
      this.factory = factory;
      this.connection = connection;
    }

    /**
     * The exchange of every message, with its topic as routing key. Default: the default exchange,
     * where the routing key is the name of a queue.
     */
    public Builder exchange(String exchange) {
      Objects.requireNonNull(exchange, "exchange");
      return destination(envelope -> new Destination(exchange, envelope.topic()));
    }

    /**
     * Exchange and routing key of a message. Messages of one topic and key must reach one queue, or
     * they lose their order. A message for which it returns null is rejected; if it throws, the
     * topic waits as in an outage. Limits call it at enqueue too: there an exception fails the
     * enqueue. Default: the queue that has the name of the topic.
     */
    public Builder destination(Function<Envelope, Destination> destination) {
      this.destinations = Objects.requireNonNull(destination, "destination");
      return this;
    }

    /**
     * The nodes of a cluster, one of which is connected to. With your connection it has no effect.
     * Default: host and port of the factory.
     */
    public Builder addresses(List<Address> nodes) {
      this.addresses = List.copyOf(nodes);
      return this;
    }

    /**
     * The broker's {@code max_message_size} in bytes. A broker that has less says so with the first
     * message above it, and the publisher heeds it until the connection is lost. Default: 128 MiB.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public Builder maxMessageSize(long bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("maxMessageSize is " + bytes + ", the minimum is 1");
      }
      this.maxMessageSize = bytes;
      return this;
    }

    /**
     * The publish deadline of the relay, within which a lost connection must be noticed. Default:
     * 30 s, as the relay's.
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

    /** What RabbitMQ can hold of a message as it is mapped here, for {@code Outbox.Builder}. */
    public MessageLimits limits() {
      return amqpLimits();
    }

    private AmqpLimits amqpLimits() {
      int frameMax = connection != null ? connection.getFrameMax() : factory.getRequestedFrameMax();
      return AmqpLimits.of(new AmqpMapping(destinations), frameMax, maxMessageSize);
    }

    /** The publisher. It connects with the first message. */
    public RabbitPublisher build() {
      AmqpLimits limits = amqpLimits();
      SizeLimit sizeLimit = new SizeLimit(limits.maxMessageSize());
      ExecutorService answers = RabbitSender.answers();
      RabbitLink link = link(answers, sizeLimit);
      RabbitSender sender = new RabbitSender(limits, sizeLimit, answers, link);
      return new RabbitPublisher(
          sender, Publisher.async(sender::send).classify(RabbitErrors::read));
    }

    private RabbitLink link(Executor answers, SizeLimit sizeLimit) {
      Duration patience = publishDeadline.multipliedBy(2);
      if (connection != null) {
        return RabbitLink.on(connection, answers, sizeLimit, patience);
      }
      ConnectionFactory fitting = FactorySettings.fitting(factory, publishDeadline);
      List<Address> nodes = addresses;
      return RabbitLink.own(() -> OwnConnection.open(fitting, nodes), answers, sizeLimit, patience);
    }
  }
}
