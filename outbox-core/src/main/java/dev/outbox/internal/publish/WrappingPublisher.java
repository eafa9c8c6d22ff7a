package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Publisher;
import java.util.concurrent.TimeoutException;

/** A publisher in front of another one, which promises what that promises. */
public interface WrappingPublisher extends Publisher {
  /** The one behind it. */
  Publisher publisher();

  @Override
  default Ack unanswered(Envelope envelope, TimeoutException silence) {
    return publisher().unanswered(envelope, silence);
  }

  @Override
  default Ordering ordering() {
    return publisher().ordering();
  }

  @Override
  default BrokerGuarantees brokerGuarantees() {
    return publisher().brokerGuarantees();
  }

  @Override
  default boolean isTransactional() {
    return publisher().isTransactional();
  }

  @Override
  default boolean resolvesReferences() {
    return publisher().resolvesReferences();
  }
}
