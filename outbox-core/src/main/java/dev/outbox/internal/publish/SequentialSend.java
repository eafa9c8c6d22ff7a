package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.publish.SendObserver;

/**
 * Sends the envelopes of a flight one after the other and keeps the promise of {@link
 * Ordering#PIPELINED}: after one of a key that was not delivered, the later ones of that key are
 * {@link Ack.NotSent}.
 *
 * <p>Used by one thread.
 */
public final class SequentialSend {
  /** The answer for one whose flight {@link Flight#shouldStop}. */
  public static final Ack TOO_LATE = Ack.notSent("its flight had no time left");

  private final BrokenKeys broken = new BrokenKeys();
  private final Flight flight;
  private final Publisher.Send send;
  private final Reading reading;

  private SequentialSend(Flight flight, Publisher.Send send, Reading reading) {
    this.flight = flight;
    this.send = send;
    this.reading = reading;
  }

  /** Sends and answers every envelope of {@code flight} in turn; {@code reading} reads failures. */
  static void run(Flight flight, Publisher.Send send, Reading reading) {
    SequentialSend sequence = new SequentialSend(flight, send, reading);
    for (Envelope envelope : flight.envelopes()) {
      flight.ack(envelope, flight.shouldStop() ? TOO_LATE : sequence.answer(envelope));
    }
  }

  private Ack answer(Envelope envelope) {
    if (broken.stop(envelope)) {
      return BrokenKeys.BEHIND;
    }
    SendObserver.Scope scope = reading.begin(flight, envelope);
    Ack ack = send(envelope, scope);
    scope.answered(envelope, ack);
    if (!(ack instanceof Ack.Delivered)) {
      broken.broke(envelope);
    }
    return ack;
  }

  private Ack send(Envelope envelope, SendObserver.Scope scope) {
    try (scope) {
      send.send(envelope);
      return Ack.delivered();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return reading.thrown(e);
    } catch (Throwable thrown) { // an Error too: the other messages of the flight are innocent
      return reading.thrown(thrown);
    }
  }
}
