package dev.outbox.testkit.assertj;

import dev.outbox.DeadLetter;
import dev.outbox.message.Envelope;
import dev.outbox.message.PayloadCodec;
import dev.outbox.testkit.Contents;
import dev.outbox.testkit.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on what was enqueued in an in-memory store. Enqueued is what was committed, wherever
 * it stands now; what was rolled back was never enqueued.
 */
public final class KitAssert extends AbstractAssert<KitAssert, InMemoryStore> {
  private final PayloadCodec codec;

  KitAssert(InMemoryStore store, PayloadCodec codec) {
    super(store, KitAssert.class);
    this.codec = codec;
  }

  /** At least one message to this topic was enqueued; the calls that follow say which. */
  public MessagesAssert hasEnqueued(String topic) {
    return new MessagesAssert(enqueued(), "enqueued message", codec)
        .as(descriptionText())
        .ofTopic(topic);
  }

  /** Nothing was enqueued. */
  public KitAssert hasNothingEnqueued() {
    return requireNone(enqueued(), "nothing enqueued");
  }

  /** Nothing was enqueued for this topic. */
  public KitAssert hasNothingEnqueued(String topic) {
    List<MessagesAssert.Sighting> some =
        enqueued().stream().filter(each -> each.envelope().topic().equals(topic)).toList();
    return requireNone(some, "nothing enqueued for " + topic);
  }

  /** There is a dead letter of this topic; the calls that follow say which. */
  public DeadLettersAssert hasDeadLetter(String topic) {
    return ports().hasDeadLetter(topic);
  }

  /** There is no dead letter. */
  public KitAssert hasNoDeadLetters() {
    ports().hasNoDeadLetters();
    return this;
  }

  /** Nothing waits: each message was delivered or is a dead letter. */
  public KitAssert isDrained() {
    List<MessagesAssert.Sighting> waiting =
        enqueued().stream().filter(each -> !each.isOver()).toList();
    return requireNone(waiting, "nothing to wait");
  }

  private StoreAssert ports() {
    return new StoreAssert(actual).as(descriptionText());
  }

  private KitAssert requireNone(List<MessagesAssert.Sighting> some, String expected) {
    if (!some.isEmpty()) {
      failWithMessage(
          "expected %s, but there are%s",
          expected, Listing.of(some, MessagesAssert.Sighting::toString));
    }
    return this;
  }

  private List<MessagesAssert.Sighting> enqueued() {
    Contents contents = actual.contents();
    Set<Envelope> ready = Set.copyOf(contents.ready());
    Set<Envelope> parked = Set.copyOf(contents.parked());
    Set<Envelope> delayed = Set.copyOf(contents.delayed());
    Set<Envelope> dead =
        contents.dead().stream().map(DeadLetter::envelope).collect(Collectors.toSet());
    List<MessagesAssert.Sighting> sightings = new ArrayList<>();
    for (Envelope envelope : contents.committed()) {
      String where =
          ready.contains(envelope)
              ? "ready"
              : parked.contains(envelope)
                  ? "parked"
                  : delayed.contains(envelope)
                      ? "delayed"
                      : dead.contains(envelope) ? "dead" : "delivered";
      sightings.add(new MessagesAssert.Sighting(where, envelope));
    }
    return sightings;
  }
}
