package dev.outbox.testkit.contract;

import dev.outbox.message.MessageId;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.network.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A publisher and its empty broker, opened for one case of the contract. What has a default may be
 * left out; the cases that need it then say so and prove nothing.
 *
 * <p>Used from several threads at a time, as the publisher is.
 */
public interface PublisherEnvironment extends AutoCloseable {
  /** The publisher under test, the same at every call. */
  Publisher publisher();

  /** All that the broker has, repeats included; those of one key in the order of their arrival. */
  List<Received> received() throws Exception;

  /** A topic that the publisher knows. */
  default String topic() {
    return "orders.placed";
  }

  /**
   * The network between the publisher and its broker, which is then all that {@link #outage} and
   * {@link #slowness} need. It is restored after each case, before {@link #close}, which closes it
   * if it was opened for this case.
   */
  default Optional<TcpProxy> proxy() {
    return Optional.empty();
  }

  /** Takes the broker down and brings it back. Default: the {@link #proxy} is cut and restored. */
  default Optional<Outage> outage() {
    return proxy().map(Outage::by);
  }

  /** Lets the broker refuse single messages. */
  default Optional<Refusal> refusal() {
    return Optional.empty();
  }

  /** Lets the broker close the channel at the sight of single messages. */
  default Optional<ClosedChannel> closedChannel() {
    return Optional.empty();
  }

  /** Lets the broker take its time. Default: the {@link #proxy} delays what it answers. */
  default Optional<Slowness> slowness() {
    return proxy().map(proxy -> proxy::delay);
  }

  /**
   * The names of those of {@link AwkwardMessage} that the broker has no place for. They must then
   * be refused, not changed.
   */
  default Set<AwkwardMessage> cannotCarry() {
    return Set.of();
  }

  /** How long a flight may take. Default: 10 s. */
  default Duration deadline() {
    return Duration.ofSeconds(10);
  }

  @Override
  void close();

  /** A broker that can be made unreachable. */
  interface Outage {
    /** From now on the broker cannot be reached. */
    void takeDown() throws Exception;

    /** It can be reached again, with all that it had. */
    void bringUp() throws Exception;

    /** A broker behind a proxy that is cut and restored. */
    static Outage by(TcpProxy proxy) {
      return new Outage() {
        @Override
        public void takeDown() {
          proxy.cut();
        }

        @Override
        public void bringUp() {
          proxy.restore();
        }
      };
    }
  }

  /** A broker that can be made to refuse. */
  @FunctionalInterface
  interface Refusal {
    /** From now on the broker refuses the messages whose ids {@code which} accepts. */
    void refuse(Predicate<MessageId> which) throws Exception;
  }

  /** A broker that can be made to close the channel. */
  @FunctionalInterface
  interface ClosedChannel {
    /**
     * From now on the broker does not take the messages whose ids {@code which} accepts, and closes
     * the channel or connection on which one comes. What else was on it may be lost with it.
     */
    void closeAt(Predicate<MessageId> which) throws Exception;
  }

  /** A broker that can be slowed down. */
  @FunctionalInterface
  interface Slowness {
    /** From now on the broker confirms each message that long after it was sent. */
    void take(Duration each) throws Exception;
  }
}
