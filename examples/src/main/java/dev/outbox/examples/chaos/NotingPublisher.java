package dev.outbox.examples.chaos;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.BrokerGuarantees;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A publisher that writes down what it is given, and each answer before that is given.
 *
 * <p>Safe for use by many threads.
 */
final class NotingPublisher implements Publisher {
  static final Duration DEADLINE = Duration.ofSeconds(10);

  private final Publisher publisher;
  private final Journal journal;
  private final String relay;
  private final Aboard aboard;
  private final AtomicLong flights = new AtomicLong();

  NotingPublisher(Publisher publisher, Journal journal, String relay, Aboard aboard) {
    this.publisher = publisher;
    this.journal = journal;
    this.relay = relay;
    this.aboard = aboard;
  }

  @Override
  public void publish(Flight flight) throws Exception {
    String name = "flight " + flights.incrementAndGet() + " pipelined";
    long takeOff = takeOff(flight);
    for (Envelope envelope : flight.envelopes()) {
      journal.write(
          new Note(
              takeOff++,
              NoteKind.ABOARD,
              relay,
              Subject.of(envelope),
              aboard.of(envelope.id()),
              name));
    }
    publisher.publish(
        new PartialFlight(
            flight, flight.envelopes(), (envelope, ack) -> answer(flight, envelope, ack)));
  }

  /**
   * When the relay let the flight go: before now by as long as this process was stopped in between.
   */
  private long takeOff(Flight flight) {
    Instant tookOff = flight.deadline().minus(DEADLINE);
    long ago = Math.max(0, Duration.between(tookOff, Instant.now()).toNanos());
    return journal.now() - ago;
  }

  private void answer(Flight flight, Envelope envelope, Ack ack) {
    journal.of(NoteKind.ANSWERED, relay, Subject.of(envelope), ack.getClass().getSimpleName());
    flight.ack(envelope, ack);
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
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return publisher.unanswered(envelope, silence);
  }
}
