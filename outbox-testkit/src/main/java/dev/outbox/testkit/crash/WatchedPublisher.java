package dev.outbox.testkit.crash;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Ordering;
import dev.outbox.publish.Publisher;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import dev.outbox.testkit.history.What;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** A publisher whose flights and answers are steps and are noted. Safe for use by many threads. */
final class WatchedPublisher implements Publisher {
  private final String who;
  private final Publisher publisher;
  private final Steps steps;
  private final Notebook notes;
  private final AtomicInteger flights = new AtomicInteger();

  WatchedPublisher(String who, Publisher publisher, Steps steps, Notebook notes) {
    this.who = who;
    this.publisher = publisher;
    this.steps = steps;
    this.notes = notes;
  }

  @Override
  public void publish(Flight flight) throws Exception {
    String detail = flight.envelopes().size() + " messages";
    steps.<Exception>run(who, CrashPoint.PUBLISH, detail, () -> noted(flight));
  }

  private void noted(Flight flight) throws Exception {
    List<Subject> subjects = flight.envelopes().stream().map(Subject::of).toList();
    String name = "flight " + flights.incrementAndGet();
    notes.writeAll(What.ABOARD, who, subjects, null, name + " " + words(ordering()));
    publisher.publish(new WatchedFlight(flight));
  }

  private static String words(Ordering ordering) {
    return ordering.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Ordering ordering() {
    return publisher.ordering();
  }

  @Override
  public boolean isTransactional() {
    return publisher.isTransactional();
  }

  @Override
  public Ack unanswered(Envelope envelope, TimeoutException silence) {
    return publisher.unanswered(envelope, silence);
  }

  private final class WatchedFlight implements Flight {
    private final Flight flight;

    WatchedFlight(Flight flight) {
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
    public boolean isOver() {
      return flight.isOver();
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      String answer = ack.getClass().getSimpleName();
      steps.run(who, CrashPoint.ANSWER, answer, () -> answer(envelope, ack, answer));
    }

    private void answer(Envelope envelope, Ack ack, String answer) {
      notes.of(What.ANSWERED, who, Subject.of(envelope), answer);
      flight.ack(envelope, ack);
    }

    @Override
    public Connection transaction() {
      return flight.transaction();
    }
  }
}
