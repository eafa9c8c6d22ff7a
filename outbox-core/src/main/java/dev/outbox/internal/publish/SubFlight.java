package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Some or all envelopes of a flight, with answers read again; knows which of them are still open,
 * so that what a publisher throws answers those only.
 *
 * <p>Safe for use by many threads.
 */
final class SubFlight implements WrappingFlight {
  private final Flight flight;
  private final List<Envelope> envelopes;
  private final BiFunction<Envelope, Ack, Ack> reading;
  private final Set<Envelope> open =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  SubFlight(Flight flight, List<Envelope> envelopes, BiFunction<Envelope, Ack, Ack> reading) {
    this.flight = flight;
    this.envelopes = List.copyOf(envelopes);
    this.reading = reading;
    this.open.addAll(envelopes);
  }

  /**
   * Publishes it; what is thrown answers the envelopes that are still open. Thrown by a
   * transactional publisher it answers all of them, and undoes their effects: it is not known which
   * of them count.
   */
  void handTo(Publisher publisher) throws Exception {
    if (publisher.isTransactional()) {
      handToTransactional(publisher);
    } else {
      answerWhatIsThrown(publisher);
    }
  }

  private void answerWhatIsThrown(Publisher publisher) {
    try {
      publisher.publish(this);
    } catch (Throwable thrown) { // an Error too: the other parts of the flight are innocent
      answerOpen(read(thrown));
    }
  }

  /** Its answers go on only once nothing can undo what they speak of. */
  private void handToTransactional(Publisher publisher) throws Exception {
    Connection transaction = flight.transaction();
    Savepoint before = transaction.setSavepoint();
    DeferredAnswers heldBack = new DeferredAnswers(this);
    try {
      publisher.publish(heldBack);
    } catch (Throwable thrown) {
      undo(transaction, before, thrown);
      answerOpen(read(thrown));
      return;
    }
    heldBack.stands();
  }

  /** Without its savepoint the claim is gone as well, and what is thrown says why. */
  static void undo(Connection transaction, Savepoint before, Throwable thrown) throws SQLException {
    try {
      transaction.rollback(before);
    } catch (SQLException e) {
      e.addSuppressed(thrown);
      throw e;
    }
  }

  private static Ack read(Throwable thrown) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    return Ack.of(thrown);
  }

  void answerOpen(Ack ack) {
    for (Envelope envelope : envelopes) {
      if (open.contains(envelope)) {
        ack(envelope, ack);
      }
    }
  }

  @Override
  public Flight flight() {
    return flight;
  }

  @Override
  public List<Envelope> envelopes() {
    return envelopes;
  }

  @Override
  public void ack(Envelope envelope, Ack ack) {
    boolean first = open.remove(envelope); // the flight ignores a second one
    flight.ack(envelope, first ? reading.apply(envelope, ack) : ack);
  }

  /** Holds answers back until it is known that their effects stand. */
  private static final class DeferredAnswers implements WrappingFlight {
    private final Flight flight;
    private final List<Answer> answers = new ArrayList<>();
    private boolean stands;

    private record Answer(Envelope envelope, Ack ack) {}

    DeferredAnswers(Flight flight) {
      this.flight = flight;
    }

    @Override
    public Flight flight() {
      return flight;
    }

    /** Nothing will undo the effects: the answers count, and so do those that are still to come. */
    synchronized void stands() {
      stands = true;
      answers.forEach(answer -> flight.ack(answer.envelope(), answer.ack()));
      answers.clear();
    }

    @Override
    public synchronized void ack(Envelope envelope, Ack ack) {
      if (stands) {
        flight.ack(envelope, ack);
      } else {
        answers.add(new Answer(envelope, ack));
      }
    }
  }
}
