package dev.outbox.publish;

import dev.outbox.message.Envelope;
import java.sql.Connection;
import java.time.Instant;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Some or all envelopes of a flight, with answers read anew; knows which of them are still open, so
 * that what a publisher throws answers those only.
 *
 * <p>Safe for use by many threads.
 */
final class PartialFlight implements Flight {
  private final Flight flight;
  private final List<Envelope> envelopes;
  private final UnaryOperator<Ack> reading;
  private final Set<Envelope> open =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  PartialFlight(Flight flight, List<Envelope> envelopes, UnaryOperator<Ack> reading) {
    this.flight = flight;
    this.envelopes = List.copyOf(envelopes);
    this.reading = reading;
    this.open.addAll(envelopes);
  }

  /**
   * Publishes it; what is thrown answers the envelopes that are still open. Not so with a
   * transactional publisher: what it throws undoes the whole flight, for nobody knows of which
   * envelope the effects stand already.
   */
  void handTo(Publisher publisher) throws Exception {
    if (publisher.isTransactional()) {
      publisher.publish(this);
    } else {
      answerWhatIsThrown(publisher);
    }
  }

  private void answerWhatIsThrown(Publisher publisher) {
    try {
      publisher.publish(this);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answerOpen(Ack.of(e));
    } catch (Throwable thrown) { // an Error too: the other parts of the flight are innocent
      answerOpen(Ack.of(thrown));
    }
  }

  void answerOpen(Ack ack) {
    for (Envelope envelope : envelopes) {
      if (open.contains(envelope)) {
        ack(envelope, ack);
      }
    }
  }

  @Override
  public List<Envelope> envelopes() {
    return envelopes;
  }

  @Override
  public Instant deadline() {
    return flight.deadline();
  }

  @Override
  public boolean isOver() {
    return flight.isOver();
  }

  @Override
  public void ack(Envelope envelope, Ack ack) {
    open.remove(envelope);
    flight.ack(envelope, reading.apply(ack));
  }

  @Override
  public OptionalLong fencingToken() {
    return flight.fencingToken();
  }

  @Override
  public Connection transaction() {
    return flight.transaction();
  }
}
