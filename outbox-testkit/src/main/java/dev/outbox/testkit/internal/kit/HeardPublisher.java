package dev.outbox.testkit.internal.kit;

import dev.outbox.internal.publish.WrappingPublisher;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import java.util.concurrent.TimeoutException;

/**
 * A publisher whose answers are heard, and what it makes of a message without one: an observer
 * alone does not learn that. Safe for use by many threads, as the publisher behind it.
 */
record HeardPublisher(Publisher publisher, SeenMessages seen) implements WrappingPublisher {
  static HeardPublisher of(Publisher publisher, SeenMessages seen) {
    return new HeardPublisher(publisher.observed(seen), seen);
  }

  @Override
  public void publish(Flight flight) throws Exception {
    publisher.publish(flight);
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    Ack ack = publisher.unanswered(envelope, silence);
    seen.hear(envelope.id(), ack);
    return ack;
  }
}
