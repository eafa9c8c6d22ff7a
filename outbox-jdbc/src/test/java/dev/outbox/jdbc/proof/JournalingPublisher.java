package dev.outbox.jdbc.proof;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import dev.outbox.testkit.history.Journal;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Subject;
import java.time.Duration;
import java.util.List;

/**
 * A broker that is a journal: receiving a message takes {@code perMessage}, and both its ends are
 * written down.
 *
 * <p>Safe for use by many threads.
 */
record JournalingPublisher(Journal journal, String relay, Duration perMessage)
    implements Publisher {

  @Override
  public void publish(Flight flight) throws Exception {
    List<Subject> all =
        flight.envelopes().stream().map(envelope -> Passage.of(envelope).subject()).toList();
    journal.writeAll(NoteKind.ABOARD, relay, all, null, "");
    Publisher.blocking(this::receive).publish(flight);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  private void receive(Envelope envelope) throws InterruptedException {
    Subject subject = Passage.of(envelope).subject();
    journal.of(NoteKind.ARRIVING, relay, subject, "");
    if (!perMessage.isZero()) {
      Thread.sleep(perMessage.toMillis());
    }
    journal.of(NoteKind.ARRIVED, relay, subject, "");
  }
}
