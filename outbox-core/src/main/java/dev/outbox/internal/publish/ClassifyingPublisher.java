package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Reads the failures of another publisher anew. */
public record ClassifyingPublisher(Publisher publisher, Function<Throwable, Ack> classifier)
    implements Publisher {
  @Override
  public void publish(Flight flight) throws Exception {
    new SubFlight(flight, flight.envelopes(), (envelope, ack) -> Reading.reread(ack, classifier))
        .handTo(publisher);
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return Reading.reread(publisher.unanswered(envelope, silence), classifier);
  }

  @Override
  public Ordering ordering() {
    return publisher.ordering();
  }

  @Override
  public BrokerGuarantees brokerGuarantees() {
    return publisher.brokerGuarantees();
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
