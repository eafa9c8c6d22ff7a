package dev.outbox.testkit.internal.kit;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.Messages.Place;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.publish.SendObserver;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.Contents;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages that one outbox wrote or one relay sent, and where the store has them now. One that
 * was written and is nowhere was rolled back, or its transaction is open; one that was sent and is
 * nowhere was delivered if its publisher said so, and else discarded.
 *
 * <p>Safe for use by many threads.
 */
public final class SeenMessages implements SendObserver {
  private static final int MOST = 1000;

  private final OutboxStore store;
  private final Map<MessageId, Envelope> envelopes = new LinkedHashMap<>();
  private final Set<MessageId> sent = new HashSet<>();
  private final Set<MessageId> delivered = new HashSet<>();

  public SeenMessages(OutboxStore store) {
    this.store = store;
  }

  synchronized void written(List<Envelope> written) {
    written.forEach(envelope -> envelopes.putIfAbsent(envelope.id(), envelope));
  }

  @Override
  public synchronized Scope sending(List<Envelope> envelopes) {
    written(envelopes);
    envelopes.forEach(envelope -> sent.add(envelope.id()));
    return new Scope() {
      @Override
      public void answered(Envelope envelope, Ack ack) {
        hear(envelope.id(), ack);
      }

      @Override
      public void close() {}
    };
  }

  synchronized void hear(MessageId id, Ack ack) {
    if (ack instanceof Ack.Delivered) {
      delivered.add(id);
    }
  }

  synchronized void forget() {
    envelopes.clear();
    sent.clear();
    delivered.clear();
  }

  private synchronized Map<MessageId, Envelope> envelopes() {
    return new LinkedHashMap<>(envelopes);
  }

  private synchronized boolean isSent(MessageId id) {
    return sent.contains(id);
  }

  private synchronized boolean isDelivered(MessageId id) {
    return delivered.contains(id);
  }

  /** Where they are; of dead letters the first 1,000, from any writer. */
  public Contents contents() {
    Map<MessageId, Envelope> all = envelopes();
    Map<MessageId, Place> places = new HashMap<>();
    for (MessageId id : all.keySet()) {
      store.messages().waiting(id).forEach(found -> places.put(id, found.place()));
    }
    List<DeadLetter> dead = store.deadLetters().page(Filter.all(), 0, MOST);
    for (DeadLetter letter : dead) {
      all.putIfAbsent(letter.envelope().id(), letter.envelope());
      places.put(letter.envelope().id(), Place.DEAD);
    }
    for (MessageId id : all.keySet()) {
      if (!places.containsKey(id) && (isDelivered(id) || isArchived(id))) {
        places.put(id, Place.ARCHIVED);
      }
    }
    all.keySet().removeIf(id -> !places.containsKey(id) && !isSent(id));
    return new Contents(
        List.copyOf(all.values()),
        at(places, all, EnumSet.of(Place.READY)),
        at(places, all, EnumSet.of(Place.PARKED)),
        at(places, all, EnumSet.of(Place.DELAYED)),
        dead,
        at(places, all, EnumSet.of(Place.ARCHIVED)).size());
  }

  private boolean isArchived(MessageId id) {
    return store.archives() && !store.messages().ended(id, Instant.EPOCH, Instant.MAX).isEmpty();
  }

  private static List<Envelope> at(
      Map<MessageId, Place> places, Map<MessageId, Envelope> all, Set<Place> wanted) {
    return all.entrySet().stream()
        .filter(each -> wanted.contains(places.get(each.getKey())))
        .map(Map.Entry::getValue)
        .toList();
  }
}
