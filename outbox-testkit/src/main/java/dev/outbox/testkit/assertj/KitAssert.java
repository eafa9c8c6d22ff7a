package dev.outbox.testkit.assertj;

import dev.outbox.Snapshot;
import dev.outbox.Snapshot.Depth;
import dev.outbox.message.MessageId;
import dev.outbox.message.PayloadCodec;
import dev.outbox.spi.OutboxStore;
import dev.outbox.testkit.Contents;
import dev.outbox.testkit.InMemoryStore;
import dev.outbox.testkit.Kit;
import dev.outbox.testkit.internal.kit.KitRelays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on what was enqueued. Enqueued is what was committed, wherever it is now; what was
 * rolled back was never enqueued. Over a database a {@link Kit} sees what its own outbox wrote and
 * its relays sent; messages of others are counted, and named where they would make a claim false.
 *
 * <pre>{@code
 * assertThat(kit).hasEnqueued("orders.placed").withKey("42");
 * assertThat(kit).hasNothingEnqueued("mails").hasNoDeadLetters().isDrained();
 * assertThat(kit).hasNothingEnqueued();
 * assertThat(kit).hasDeadLetter("orders.placed");
 * }</pre>
 */
public final class KitAssert extends AbstractAssert<KitAssert, OutboxStore> {
  private static final long MOST_ROWS = 1_000_000;

  private final Supplier<Contents> contents;
  private final PayloadCodec codec;

  KitAssert(OutboxStore store, Supplier<Contents> contents, PayloadCodec codec) {
    super(store, KitAssert.class);
    this.contents = contents;
    this.codec = codec;
  }

  /** At least one message to this topic was enqueued; the calls that follow say which. */
  public MessagesAssert hasEnqueued(String topic) {
    List<MessagesAssert.Sighting> enqueued = enqueued();
    if (enqueued.stream().noneMatch(each -> each.envelope().topic().equals(topic))) {
      requireNoneUnseen("an enqueued message for " + topic, topic::equals);
    }
    return new MessagesAssert(enqueued, "enqueued message", codec)
        .as(descriptionText())
        .ofTopic(topic);
  }

  /** Nothing was enqueued. */
  public KitAssert hasNothingEnqueued() {
    requireNone(enqueued(), "nothing enqueued");
    return requireNoneUnseen("nothing enqueued", any -> true);
  }

  /** Nothing was enqueued for this topic. */
  public KitAssert hasNothingEnqueued(String topic) {
    List<MessagesAssert.Sighting> some =
        enqueued().stream().filter(each -> each.envelope().topic().equals(topic)).toList();
    requireNone(some, "nothing enqueued for " + topic);
    return requireNoneUnseen("nothing enqueued for " + topic, topic::equals);
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
    requireNone(waiting, "no waiting message");
    ports().isDrained();
    return this;
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

  /**
   * Messages of these topics that wait in the tables, but were written by others, or that others
   * may have delivered. Of dead letters the contents have everybody's.
   */
  private KitAssert requireNoneUnseen(String expected, Predicate<String> topics) {
    Contents seen = contents.get();
    Snapshot snapshot = actual.snapshot(MOST_ROWS);
    for (Map.Entry<String, Depth> topic : snapshot.topics().entrySet()) {
      long unseen = waiting(topic.getValue()) - waiting(seen, topic.getKey());
      if (unseen > 0 && topics.test(topic.getKey())) {
        failWithMessage(
            "expected %s, but %s messages for %s are in the tables that this kit did not write: an earlier test left them, or another outbox wrote them",
            expected, unseen, topic.getKey());
      }
    }
    if (!(actual instanceof InMemoryStore)) {
      snapshot.relays().forEach(relay -> requireOfAKit(expected, relay.name()));
    }
    return this;
  }

  /** What another relay delivers is in no table any more. */
  private void requireOfAKit(String expected, String relay) {
    if (!KitRelays.isOfAKit(relay)) {
      failWithMessage(
          "expected %s, but relay %s runs and may have delivered messages that this kit did not see; start no relay of the application in this test",
          expected, relay);
    }
  }

  private static long waiting(Depth depth) {
    return depth.ready() + depth.parked() + depth.delayed();
  }

  private static long waiting(Contents seen, String topic) {
    return Stream.of(seen.ready(), seen.parked(), seen.delayed())
        .flatMap(List::stream)
        .filter(each -> each.topic().equals(topic))
        .count();
  }

  private List<MessagesAssert.Sighting> enqueued() {
    Contents now = contents.get();
    Map<MessageId, String> places = new HashMap<>();
    now.dead().forEach(letter -> places.put(letter.envelope().id(), "dead"));
    now.delayed().forEach(envelope -> places.put(envelope.id(), "delayed"));
    now.parked().forEach(envelope -> places.put(envelope.id(), "parked"));
    now.ready().forEach(envelope -> places.put(envelope.id(), "ready"));
    long gone = now.committed().stream().filter(each -> !places.containsKey(each.id())).count();
    String left = now.delivered() < gone ? "delivered or discarded" : "delivered";
    return now.committed().stream()
        .map(
            envelope ->
                new MessagesAssert.Sighting(places.getOrDefault(envelope.id(), left), envelope))
        .toList();
  }
}
