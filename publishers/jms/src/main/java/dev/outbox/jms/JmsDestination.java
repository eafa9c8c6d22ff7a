package dev.outbox.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.Objects;

/**
 * Where a message goes: a queue or a topic of the broker.
 *
 * <p>Immutable.
 */
public record JmsDestination(Kind kind, String name) {
  /** What the broker does with a message. */
  public enum Kind {
    /** One consumer gets it. */
    QUEUE,
    /** Every subscription gets it. */
    TOPIC
  }

  /** Neither is null. */
  public JmsDestination {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(name, "name");
  }

  /** The queue of this name. */
  public static JmsDestination queue(String name) {
    return new JmsDestination(Kind.QUEUE, name);
  }

  /** The topic of this name. */
  public static JmsDestination topic(String name) {
    return new JmsDestination(Kind.TOPIC, name);
  }

  jakarta.jms.Destination of(Session session) throws JMSException {
    return kind == Kind.QUEUE ? session.createQueue(name) : session.createTopic(name);
  }

  @Override
  public String toString() {
    return "%s '%s'".formatted(kind == Kind.QUEUE ? "queue" : "topic", name);
  }
}
