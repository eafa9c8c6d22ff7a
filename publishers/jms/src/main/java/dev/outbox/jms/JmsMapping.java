package dev.outbox.jms;

import dev.outbox.message.Envelope;
import dev.outbox.publish.CloudEvents;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a message becomes one of JMS: the payload as bytes, the topic as type, the key as message
 * group, id and content type and every header as properties. A null {@code cloudEvents} is a plain
 * message.
 *
 * <p>Immutable.
 */
record JmsMapping(
    Function<Envelope, JmsDestination> destinations, @Nullable CloudEvents cloudEvents) {
  static final String ID = "messageId";
  static final String CONTENT_TYPE = "contentType";
  static final String GROUP = "JMSXGroupID";

  /** By which Artemis drops a repeat; to others it is a property like any. */
  static final String DUPLICATE_ID = "_AMQ_DUPL_ID";

  private static final String CLOUD_EVENT = "cloudEvents_";

  /** To the queue that has the name of the topic. */
  static final JmsMapping PLAIN =
      new JmsMapping(envelope -> JmsDestination.queue(envelope.topic()), null);

  /**
   * What the function of the application returns. Where it looks may be down, so what it throws is
   * no fault of a message.
   *
   * @throws JmsErrors.NotNow when it throws
   * @throws JmsErrors.Refused when it returns null
   */
  JmsDestination destination(Envelope envelope) {
    JmsDestination destination;
    try {
      destination = destinations.apply(envelope);
    } catch (RuntimeException e) {
      throw new JmsErrors.NotNow(
          "no destination for a message of topic %s can be had now: %s"
              .formatted(envelope.topic(), e),
          e);
    }
    if (destination == null) {
      throw new JmsErrors.Refused(
          "there is no destination for a message of topic %s; correct the function that destination(..) was given"
              .formatted(envelope.topic()));
    }
    return destination;
  }

  /** True for the name of a property that the publisher sets. */
  boolean reserves(String name) {
    return name.equals(ID)
        || name.equals(CONTENT_TYPE)
        || (cloudEvents != null && name.startsWith(CLOUD_EVENT));
  }

  /**
   * The message of one that {@link JmsLimits} let through.
   *
   * @throws IllegalArgumentException when it should be part of a JSON text and is none
   */
  Message message(Envelope envelope, Session session) throws JMSException {
    BytesMessage message = session.createBytesMessage();
    message.setJMSType(envelope.topic());
    message.setStringProperty(ID, envelope.id().toString());
    message.setStringProperty(DUPLICATE_ID, envelope.id().toString());
    if (envelope.key() != null) {
      message.setStringProperty(GROUP, envelope.key().value());
    }
    for (Map.Entry<String, String> header : envelope.headers().entrySet()) {
      message.setStringProperty(PropertyName.of(header.getKey()), header.getValue());
    }
    if (cloudEvents == null) {
      message.setStringProperty(CONTENT_TYPE, envelope.payload().contentType());
      message.writeBytes(envelope.payload().bytes());
    } else {
      describe(envelope, cloudEvents, message);
    }
    return message;
  }

  private static void describe(Envelope envelope, CloudEvents events, BytesMessage message)
      throws JMSException {
    message.writeBytes(events.body(envelope));
    message.setStringProperty(CONTENT_TYPE, events.contentType(envelope));
    if (!events.isStructured()) {
      for (Map.Entry<String, String> each : events.attributes(envelope).entrySet()) {
        message.setStringProperty(CLOUD_EVENT + each.getKey(), each.getValue());
      }
    }
  }
}
