package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * A flight whose answers are held back until it is known that their effects stand.
 *
 * <p>Safe for use by many threads.
 */
final class DeferredAnswers implements Flight {
  private final Flight flight;
  private final List<Answer> answers = new ArrayList<>();
  private boolean stands;

  private record Answer(Envelope envelope, Ack ack) {}

  DeferredAnswers(Flight flight) {
    this.flight = flight;
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

  @Override
  public List<Envelope> envelopes() {
    return flight.envelopes();
  }

  @Override
  public Instant deadline() {
    return flight.deadline();
  }

  @Override
  public boolean shouldStop() {
    return flight.shouldStop();
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
