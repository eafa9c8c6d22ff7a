package dev.outbox.jdbc.proof;

import dev.outbox.jdbc.proof.Entry.Kind;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.Publisher.Ordering;
import java.time.Duration;

/**
 * A broker that is a journal: receiving a message takes {@code perMessage}, and both its ends are
 * written down.
 *
 * <p>Safe for use by many threads.
 */
record JournalingPublisher(Journal journal, Duration perMessage) implements Publisher {

  @Override
  public void publish(Flight flight) throws Exception {
    journal.addAll(Kind.ABOARD, flight.envelopes().stream().map(Passage::of).toList());
    Publisher.blocking(this::receive).publish(flight);
  }

  @Override
  public Ordering ordering() {
    return Ordering.PIPELINED;
  }

  private void receive(Envelope envelope) throws InterruptedException {
    Passage passage = Passage.of(envelope);
    journal.add(Kind.BEGUN, passage.words());
    if (!perMessage.isZero()) {
      Thread.sleep(perMessage.toMillis());
    }
    journal.add(Kind.ENDED, passage.words());
  }
}
