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
    new SubFlight(flight, flight.envelopes(), ack -> reread(ack, classifier)).handTo(publisher);
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return reread(publisher.unanswered(envelope, silence), classifier);
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

  /**
   * The answer as {@code classifier} reads it. One that throws or says nothing changes nothing, or
   * the answer would be lost. What was never sent has no failure to read.
   */
  static Ack reread(Ack ack, Function<Throwable, Ack> classifier) {
    if (ack instanceof Ack.Failed failed) {
      return reread(ack, failed.cause(), classifier);
    }
    return ack instanceof Ack.Unavailable unavailable
        ? reread(ack, unavailable.cause(), classifier)
        : ack;
  }

  private static Ack reread(Ack ack, Throwable cause, Function<Throwable, Ack> classifier) {
    try {
      Ack read = classifier.apply(cause);
      return read == null ? ack : read;
    } catch (Throwable thrown) {
      if (thrown != cause) {
        cause.addSuppressed(thrown);
      }
      return ack;
    }
  }
}
