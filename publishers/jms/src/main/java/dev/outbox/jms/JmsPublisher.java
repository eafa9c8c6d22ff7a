package dev.outbox.jms;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageLimits;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.CloudEvents;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Publishes by Jakarta Messaging: delivered is what the broker has confirmed to the completion
 * listener of a persistent send, and messages of one topic and key arrive in order, the next when
 * the one before was confirmed.
 *
 * <p>Safe for use by many threads. {@link #close} closes its connection; {@code
 * Relay.builder(store, jms).owns(jms)} does so with the relay.
 */
public final class JmsPublisher implements Publisher, AutoCloseable {
  private final JmsSender sender;
  private final Publisher sends;

  private JmsPublisher(JmsSender sender, Publisher sends) {
    this.sender = sender;
    this.sends = sends;
  }

  /**
   * A publisher by a connection of this factory, with every setting at its default: to the queue
   * that has the name of the topic. It connects with the first message.
   *
   * @throws IllegalArgumentException as {@link Builder#build}
   */
  public static JmsPublisher create(ConnectionFactory factory) {
    return builder(factory).build();
  }

  /** Settings of a publisher by a connection of this factory. */
  public static Builder builder(ConnectionFactory factory) {
    return new Builder(Objects.requireNonNull(factory, "factory"));
  }

  /** What JMS can hold where nothing is configured otherwise, for {@code Outbox.Builder}. */
  public static MessageLimits limits() {
    return new JmsLimits(JmsMapping.PLAIN, Integer.MAX_VALUE);
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
  public BrokerGuarantees brokerGuarantees() {
    return sends.brokerGuarantees();
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return sends.unanswered(envelope, silence);
  }

  /** The same connection; closing one closes both. */
  @Override
  public JmsPublisher classify(Function<Throwable, Ack> classifier) {
    return new JmsPublisher(sender, sends.classify(classifier));
  }

  /** The same connection; closing one closes both. */
  @Override
  public JmsPublisher observed(SendObserver observer) {
    return new JmsPublisher(sender, sends.observed(observer));
  }

  /** Waits for what is being sent, no longer than a send may take. A second call does nothing. */
  @Override
  public void close() {
    sender.close();
  }

  /**
   * Settings of a publisher.
   *
   * <ul>
   *   <li>{@link #destination}: the queue that has the name of the topic
   *   <li>{@link #login}: that of the factory
   *   <li>{@link #cloudEvents}: plain messages
   *   <li>{@link #dedupes}: 20,000 with a factory of Artemis, none with others
   *   <li>{@link #maxMessageSize}: no limit
   *   <li>{@link #publishDeadline}: 30 s
   * </ul>
   *
   * <p>Used by one thread.
   */
  public static final class Builder {
    private static final int SEND_PART = 3;

    private final ConnectionFactory factory;
    private JmsLink.Source source;
    private Function<Envelope, JmsDestination> destinations = JmsMapping.PLAIN.destinations();
    private @Nullable CloudEvents cloudEvents;
    private int dedupes;
    private int maxMessageSize = Integer.MAX_VALUE;
    private Duration publishDeadline = Duration.ofSeconds(30);

    private Builder(ConnectionFactory factory) {
      this.factory = factory;
      this.source = factory::createConnection;
      this.dedupes = ArtemisSettings.areOf(factory) ? ArtemisSettings.IDS : 0;
    }

    /**
     * The queue or topic of a message. Messages of one topic and key must go to one destination, or
     * they lose their order. A message for which it returns null is rejected; if it throws, the
     * topic waits as in an outage. Default: the queue that has the name of the topic.
     */
    public Builder destination(Function<Envelope, JmsDestination> destination) {
      this.destinations = Objects.requireNonNull(destination, "destination");
      return this;
    }

    /** The user and the password of the connection. Default: those of the factory. */
    public Builder login(String user, String password) {
      Objects.requireNonNull(user, "user");
      Objects.requireNonNull(password, "password");
      this.source = () -> factory.createConnection(user, password);
      return this;
    }

    /**
     * Publishes CloudEvents 1.0: in binary mode the attributes are {@code cloudEvents_} properties
     * and the body is the payload, in structured mode the body is one JSON text. Default: plain
     * messages.
     */
    public Builder cloudEvents(CloudEvents events) {
      this.cloudEvents = Objects.requireNonNull(events, "events");
      return this;
    }

    /**
     * Of how many of the last ids of a destination the broker drops repeats, by the property {@code
     * _AMQ_DUPL_ID}: Artemis' {@code id-cache-size}, or 0 for a broker that drops none. Default:
     * 20,000 with a factory of Artemis, 0 with others.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public Builder dedupes(int lastIds) {
      if (lastIds < 0) {
        throw new IllegalArgumentException("dedupes is " + lastIds + ", the minimum is 0 for none");
      }
      this.dedupes = lastIds;
      return this;
    }

    /**
     * The largest payload in bytes that the broker takes. Default: no limit.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public Builder maxMessageSize(int bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("maxMessageSize is " + bytes + ", the minimum is 1");
      }
      this.maxMessageSize = bytes;
      return this;
    }

    /**
     * The publish deadline of the relay. A third of it may pass between a message and its
     * confirmation; then the connection counts as lost. Default: 30 s, as the relay's.
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

    /** What JMS can hold of a message as it is mapped here, for {@code Outbox.Builder.limits}. */
    public MessageLimits limits() {
      return jmsLimits();
    }

    private JmsLimits jmsLimits() {
      return new JmsLimits(new JmsMapping(destinations, cloudEvents), maxMessageSize);
    }

    /**
     * The publisher. It connects with the first message.
     *
     * @throws IllegalArgumentException when a factory of Artemis would report what is not stored or
     *     deliver late, with the name of the setting
     */
    public JmsPublisher build() {
      Duration longest = publishDeadline.dividedBy(SEND_PART);
      if (ArtemisSettings.areOf(factory)) {
        ArtemisSettings.require(factory, longest);
      }
      JmsSender sender = new JmsSender(source, jmsLimits(), longest);
      BrokerGuarantees none = BrokerGuarantees.nothing();
      Publisher sends =
          Publisher.async(sender::send)
              .classify(JmsErrors::read)
              .longestSend(longest)
              .withGuarantees(dedupes == 0 ? none : none.dedupes(dedupes));
      return new JmsPublisher(sender, sends);
    }
  }
}
