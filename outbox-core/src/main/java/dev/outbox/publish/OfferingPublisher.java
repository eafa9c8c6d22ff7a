package dev.outbox.publish;

import dev.outbox.message.Envelope;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Another publisher, with what is known of its broker. */
record OfferingPublisher(Publisher publisher, Offer offer) implements Publisher {
  @Override
  public void publish(Flight flight) throws Exception {
    publisher.publish(flight);
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new OfferingPublisher(publisher.classify(classifier), offer);
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
