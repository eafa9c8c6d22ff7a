package dev.outbox.internal.enqueue;

import dev.outbox.internal.text.ShortText;
import dev.outbox.message.EnqueueObserver;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.spi.settle.NewEnvelope;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observers of an outbox. What one throws neither keeps the message from being written nor the
 * others from hearing of it. The first is logged as a warning, the others at debug level.
 *
 * <p>Safe for use by many threads.
 */
public final class Observers {
  private static final Logger log = LoggerFactory.getLogger(Observers.class);

  /** Topics that are made of data have no end. */
  private static final int MOST_TOPICS = 100;

  private final List<EnqueueObserver> observers;
  private final Set<EnqueueObserver> warned = ConcurrentHashMap.newKeySet();
  private final Set<String> toldOfRefusal = ConcurrentHashMap.newKeySet();

  public Observers(List<EnqueueObserver> observers) {
    this.observers = List.copyOf(observers);
  }

  /** The envelope with the headers that they add. */
  Envelope writing(Envelope envelope) {
    Envelope watched = envelope;
    for (EnqueueObserver observer : observers) {
      watched = withHeaders(watched, observer);
    }
    return watched;
  }

  private Envelope withHeaders(Envelope envelope, EnqueueObserver observer) {
    try {
      Map<String, String> added =
          new LinkedHashMap<>(
              Objects.requireNonNull(observer.writing(envelope), "the observer returned null"));
      added.keySet().removeAll(envelope.headers().keySet());
      return added.isEmpty() ? envelope : envelope.withHeaders(checked(envelope, added));
    } catch (Throwable thrown) { // a tracing library of another version must not end the caller
      tell(observer, "its headers are left out", thrown);
      return envelope;
    }
  }

  private void tell(EnqueueObserver observer, String what, Throwable thrown) {
    if (warned.add(observer)) {
      log.warn(
          "an observer of enqueues threw, {}; what else it throws is logged at debug level",
          what,
          thrown);
    } else {
      log.debug("an observer of enqueues threw, {}", what, thrown);
    }
  }

  /** The message is written without the headers that they add: with them it would be refused. */
  void leftOut(String topic, String refusal) {
    String name = ShortText.oneLine(topic);
    String why = ShortText.oneLine(refusal);
    String text =
        "topic={} headers of observers are left out of a message, which would be refused with them: {}";
    if (toldOfRefusal.size() < MOST_TOPICS && toldOfRefusal.add(topic)) {
      log.warn(text + "; later ones of this topic are logged at debug level", name, why);
    } else {
      log.debug(text, name, why);
    }
  }

  private static Map<String, String> checked(Envelope envelope, Map<String, String> added) {
    Map<String, String> all = new LinkedHashMap<>(envelope.headers());
    all.putAll(Message.to(envelope.topic()).headers(added).bytes(new byte[0]).headers());
    return all;
  }

  /** Tells them what was written. */
  public void written(List<NewEnvelope> messages) {
    if (observers.isEmpty() || messages.isEmpty()) {
      return;
    }
    List<Envelope> envelopes = messages.stream().map(NewEnvelope::envelope).toList();
    for (EnqueueObserver observer : observers) {
      try {
        observer.written(envelopes);
      } catch (Throwable thrown) {
        tell(observer, "which changes nothing", thrown);
      }
    }
  }
}
