package dev.outbox.examples.chaos;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.Note;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import java.io.IOException;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A broker that is a journal: it has a message once the line is written. It takes its time and
 * refuses one message in two hundred.
 *
 * <p>Safe for use by many threads.
 */
final class NotingPublisher implements Publisher {
  static final Duration DEADLINE = Duration.ofSeconds(10);
  private static final int SLOWEST_MILLIS = 80;
  private static final int ONE_IN = 200;

  private final Journal journal;
  private final String relay;
  private final Aboard aboard;
  private final Random dice;
  private final Sabotage sabotage;
  private final AtomicLong flights = new AtomicLong();
  private final Publisher sender = Publisher.blocking(this::send);

  NotingPublisher(Journal journal, String relay, Aboard aboard, Random dice, Sabotage sabotage) {
    this.journal = journal;
    this.relay = relay;
    this.aboard = aboard;
    this.dice = dice;
    this.sabotage = sabotage;
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
    sender.publish(new NotedFlight(flight));
  }

  /**
   * When the relay let the flight go: before now by as long as this process was stopped in between.
   */
  private long takeOff(Flight flight) {
    Instant tookOff = flight.deadline().minus(DEADLINE);
    long ago = Math.max(0, Duration.between(tookOff, Instant.now()).toNanos());
    return journal.now() - ago;
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  private void send(Envelope envelope) throws IOException, InterruptedException {
    Thread.sleep(dice.nextInt(SLOWEST_MILLIS + 1));
    if (dice.nextInt(ONE_IN) == 0) {
      throw new IOException("the broker is busy");
    }
    boolean wrong = dice.nextInt(ONE_IN) == 0;
    if (wrong && sabotage == Sabotage.LOSE) {
      return;
    }
    journal.of(NoteKind.ARRIVED, relay, Subject.of(envelope), "");
    if (wrong && sabotage == Sabotage.REPEAT) {
      journal.of(NoteKind.ARRIVED, relay, Subject.of(envelope), "");
    }
  }

  /** Writes down each answer before it is given. */
  private final class NotedFlight implements Flight {
    private final Flight flight;

    NotedFlight(Flight flight) {
      this.flight = flight;
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      journal.of(NoteKind.ANSWERED, relay, Subject.of(envelope), ack.getClass().getSimpleName());
      flight.ack(envelope, ack);
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
}
