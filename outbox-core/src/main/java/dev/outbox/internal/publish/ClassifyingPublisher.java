package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.SendObserver;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Reads the failures of another publisher again. */
public record ClassifyingPublisher(Publisher publisher, Function<Throwable, Ack> classifier)
    implements WrappingPublisher {
  /** One that logs what its classifier throws. */
  public static ClassifyingPublisher of(Publisher publisher, Function<Throwable, Ack> classifier) {
    return new ClassifyingPublisher(
        publisher, Reading.logging(Objects.requireNonNull(classifier, "classifier")));
  }

  @Override
  public void publish(Flight flight) throws Exception {
    new SubFlight(flight, flight.envelopes(), (envelope, ack) -> Reading.reread(ack, classifier))
        .handTo(publisher);
  }

  /** Sends are watched where they are made, and their answers heard as they are read here. */
  @Override
  public Publisher observed(SendObserver observer) {
    Objects.requireNonNull(observer, "observer");
    return new ClassifyingPublisher(publisher.observed(rereading(observer)), classifier);
  }

  private SendObserver rereading(SendObserver observer) {
    return envelopes -> {
      SendObserver.Scope scope =
          Objects.requireNonNull(observer.sending(envelopes), "the observer returned null");
      return new SendObserver.Scope() {
        @Override
        public void answered(Envelope envelope, Ack ack) {
          scope.answered(envelope, Reading.reread(ack, classifier));
        }

        @Override
        public void close() {
          scope.close();
        }
      };
    };
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return Reading.reread(publisher.unanswered(envelope, silence), classifier);
  }
}
