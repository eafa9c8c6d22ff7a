package dev.outbox.internal.publish;

import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import java.util.function.Function;

/** Another publisher, with what is known of its broker. */
public record GuaranteesPublisher(Publisher publisher, BrokerGuarantees brokerGuarantees)
    implements WrappingPublisher {
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
}
