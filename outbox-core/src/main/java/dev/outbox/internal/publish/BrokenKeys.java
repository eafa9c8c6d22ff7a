package dev.outbox.internal.publish;

import dev.outbox.message.Envelope;
import dev.outbox.message.Key;
import dev.outbox.publish.Ack;
import java.util.HashSet;
import java.util.Set;

/**
 * The keys of a flight of which one message was not delivered, so that no later one may be.
 *
 * <p>Used by one thread.
 */
public final class BrokenKeys {
  /** The answer for one behind a message that was not delivered. */
  public static final Ack BEHIND = Ack.notSent("an earlier message of its key was not delivered");

  private final Set<TopicAndKey> broken = new HashSet<>();

  record TopicAndKey(String topic, Key key) {}

  /** True when an earlier one of its key was not delivered. */
  public boolean stop(Envelope envelope) {
    Key key = envelope.key();
    return key != null && broken.contains(new TopicAndKey(envelope.topic(), key));
  }

  /** This one was not delivered. */
  public void broke(Envelope envelope) {
    Key key = envelope.key();
    if (key != null) {
      broken.add(new TopicAndKey(envelope.topic(), key));
    }
  }
}
