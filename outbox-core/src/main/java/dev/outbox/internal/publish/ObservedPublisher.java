package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import java.util.function.Function;

/** A publisher whose single sends cannot be seen from outside: watched flight by flight. */
public record ObservedPublisher(Publisher publisher, Reading reading) implements WrappingPublisher {
  public ObservedPublisher(Publisher publisher, SendObserver observer) {
    this(publisher, Reading.PLAIN.observed(observer));
  }

  @Override
  public void publish(Flight flight) throws Exception {
    SendObserver.Scope scope = reading.begin(flight, flight.envelopes(), publisher::unanswered);
    try (scope) {
      new SubFlight(flight, flight.envelopes(), (envelope, ack) -> heard(scope, envelope, ack))
          .handTo(publisher);
    }
  }

  private static Ack heard(SendObserver.Scope scope, Envelope envelope, Ack ack) {
    scope.answered(envelope, ack);
    return ack;
  }

  @Override
  public Publisher observed(SendObserver observer) {
    return new ObservedPublisher(publisher, reading.observed(observer));
  }

  @Override
  public Publisher classify(Function<Throwable, Ack> classifier) {
    return new ObservedPublisher(publisher.classify(classifier), reading);
  }
}
