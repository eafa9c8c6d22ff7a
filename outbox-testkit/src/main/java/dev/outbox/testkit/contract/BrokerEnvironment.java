package dev.outbox.testkit.contract;

import dev.outbox.message.Envelope;
import dev.outbox.testkit.network.TcpProxy;
import java.util.Optional;

/**
 * A publisher, its empty broker on a real server, and the network between them, opened for one case
 * of the contract. What has a default may be left out; the cases that need it then say so and prove
 * nothing.
 *
 * <p>Used from several threads at a time, as the publisher is.
 */
public interface BrokerEnvironment extends PublisherEnvironment {
  /** The network between publisher and broker; {@link #received} does not go through it. */
  TcpProxy network();

  /** Kills the server as SIGKILL does; brought up, it has what it had confirmed. */
  @Override
  Optional<Outage> outage();

  /** A broker that has no room, or too few copies: it is there and takes nothing. */
  default Optional<Outage> full() {
    return Optional.empty();
  }

  /** A message that is larger than the broker takes, of the key {@code "large"}. */
  default Optional<Envelope> tooLarge() {
    return Optional.empty();
  }

  /** A message to a destination that the broker does not have, of the key {@code "lost"}. */
  default Optional<Envelope> unknownDestination() {
    return Optional.empty();
  }

  /** The network delays the broker's confirmations. */
  @Override
  default Optional<Slowness> slowness() {
    return Optional.of(network()::delay);
  }
}
