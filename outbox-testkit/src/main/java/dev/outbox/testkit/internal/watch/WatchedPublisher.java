package dev.outbox.testkit.internal.watch;

import dev.outbox.internal.publish.WrappingFlight;
import dev.outbox.internal.publish.WrappingPublisher;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A publisher whose flights and answers are steps and are noted. Safe for use by many threads. */
public final class WatchedPublisher implements WrappingPublisher {
  private final String who;
  private final Publisher publisher;
  private final Steps steps;
  private final Notebook notes;
  private final AtomicInteger flights = new AtomicInteger();

  public WatchedPublisher(String who, Publisher publisher, Steps steps, Notebook notes) {
    this.who = who;
    this.publisher = publisher;
    this.steps = steps;
    this.notes = notes;
  }

  @Override
  public void publish(Flight flight) throws Exception {
    List<Subject> subjects = flight.envelopes().stream().map(Subject::of).toList();
    String name = "flight " + flights.incrementAndGet();
    notes.writeAll(NoteKind.ABOARD, who, subjects, null, name + " " + words(ordering()));
    WatchedFlight watched = new WatchedFlight(flight);
    try {
      steps.<Exception>run(
          who, CrashPoint.PUBLISH, subjects.size() + " messages", () -> publisher.publish(watched));
    } catch (Exception e) {
      watched.threw();
      if (isTransactional()) {
        notes.of(
            NoteKind.FAULT, who, "a flight in the claim's transaction threw: it is undone whole");
      }
      throw e;
    }
  }

  private static String words(Ordering ordering) {
    return ordering.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  private final class WatchedFlight implements WrappingFlight {
    private final Flight flight;
    private final Set<MessageId> answered = ConcurrentHashMap.newKeySet();

    WatchedFlight(Flight flight) {
      this.flight = flight;
    }

    @Override
    public Flight flight() {
      return flight;
    }

    @Override
    public void ack(Envelope envelope, Ack ack) {
      String answer = words(ack);
      Subject subject = Subject.of(envelope);
      steps.run(
          who,
          CrashPoint.ANSWER,
          answer,
          subject,
          () -> {
            answered.add(subject.id());
            notes.of(NoteKind.ANSWERED, who, subject, answer);
            flight.ack(envelope, ack);
          });
    }

    private static String words(Ack ack) {
      if (ack instanceof Ack.Delivered) {
        return "delivered";
      }
      if (ack instanceof Ack.Failed) {
        return "failed";
      }
      return ack instanceof Ack.Rejected ? "rejected" : "unavailable";
    }

    /** What a publisher throws answers all that it has not answered. */
    void threw() {
      flight.envelopes().stream()
          .map(Subject::of)
          .filter(subject -> answered.add(subject.id()))
          .forEach(subject -> notes.of(NoteKind.ANSWERED, who, subject, "thrown"));
    }
  }
}
