package dev.outbox.publish;

import dev.outbox.message.Envelope;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Reads the failures of another publisher anew. */
record ClassifyingPublisher(Publisher publisher, Function<Throwable, Ack> classifier)
    implements Publisher {
  @Override
  public void publish(Flight flight) throws Exception {
    publisher.publish(new Classified(flight));
  }

  @Override
  public Ordering ordering() {
    return publisher.ordering();
  }

  @Override
  public boolean isTransactional() {
    return publisher.isTransactional();
  }

  private Ack classify(Ack ack) {
    if (ack instanceof Ack.Failed failed) {
      return classifier.apply(failed.cause());
    }
    return ack instanceof Ack.Unavailable unavailable ? classifier.apply(unavailable.cause()) : ack;
  }

  private final class Classified implements Flight {
    private final Flight flight;

    private Classified(Flight flight) {
      this.flight = flight;
    }

    @Override
    public List<Envelope> envelopes() {
      return flight.envelopes();
    }

    @Override
    public Instant deadline() {
      return flight.deadline();
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      flight.ack(envelope, classify(ack));
    }

    @Override
    public Connection transaction() {
      return flight.transaction();
    }
  }
}
