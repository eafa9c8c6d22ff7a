package dev.outbox.testkit.internal.kit;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import java.util.concurrent.TimeoutException;

/** A publisher whose flights are seen. Safe for use by many threads, as the one behind it. */
public final class SeenPublisher implements Publisher {
  private final Publisher publisher;
  private final SeenMessages seen;

  public SeenPublisher(Publisher publisher, SeenMessages seen) {
    this.publisher = publisher;
    this.seen = seen;
  }

  @Override
  public void publish(Flight flight) throws Exception {
    seen.sent(flight.envelopes());
    publisher.publish(flight);
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return publisher.unanswered(envelope, silence);
  }

  @Override
  public Ordering ordering() {
    return publisher.ordering();
  }

  @Override
  public boolean isTransactional() {
    return publisher.isTransactional();
  }

  @Override
  public BrokerGuarantees brokerGuarantees() {
    return publisher.brokerGuarantees();
  }

  @Override
  public boolean resolvesReferences() {
    return publisher.resolvesReferences();
  }
}
