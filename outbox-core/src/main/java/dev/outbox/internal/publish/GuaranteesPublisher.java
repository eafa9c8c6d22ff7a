package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.SendObserver;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Another publisher, with what is known of its broker. */
public record GuaranteesPublisher(Publisher publisher, BrokerGuarantees brokerGuarantees)
    implements Publisher {
  @Override
  public void publish(Flight flight) throws Exception {
    publisher.publish(flight);
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new GuaranteesPublisher(publisher.classify(classifier), brokerGuarantees);
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new GuaranteesPublisher(publisher.observed(observer), brokerGuarantees);
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
  public boolean resolvesReferences() {
    return publisher.resolvesReferences();
  }
}
