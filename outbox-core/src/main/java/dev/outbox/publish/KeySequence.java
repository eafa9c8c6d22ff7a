package dev.outbox.publish;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import java.util.HashSet;
import java.util.Set;

/**
 * Walks a flight one envelope after the other and keeps the promise of {@link Ordering#PIPELINED}:
 * after one of a key that was not delivered, the later ones of that key are answered as failed
 * without being sent.
 *
 * <p>Used by one thread.
 */
final class KeySequence {
  private final Set<TopicAndKey> broken = new HashSet<>();

  /** Sends and answers every envelope of {@code flight} in turn. */
  static void run(Flight flight, Publisher.Send send) {
    KeySequence sequence = new KeySequence();
    for (Envelope envelope : flight.envelopes()) {
      flight.ack(envelope, sequence.answer(envelope, send));
    }
  }

  private Ack answer(Envelope envelope, Publisher.Send send) {
    if (isBroken(envelope)) {
      return Ack.failed(
          new IllegalStateException("not sent: an earlier message of its key was not delivered"));
    }
    try {
      send.send(envelope);
      return Ack.delivered();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      breakKey(envelope);
      return Ack.failed(e);
    } catch (Exception e) {
      breakKey(envelope);
      return Ack.of(e);
    }
  }

  private boolean isBroken(Envelope envelope) {
    Key key = envelope.key();
    return key != null && broken.contains(new TopicAndKey(envelope.topic(), key));
  }

  private void breakKey(Envelope envelope) {
    Key key = envelope.key();
    if (key != null) {
      broken.add(new TopicAndKey(envelope.topic(), key));
    }
  }

  private record TopicAndKey(String topic, Key key) {}
}
