package dev.outbox.testkit.assertj;

import dev.outbox.message.MessageId;
import dev.outbox.message.PayloadCodec;
import dev.outbox.testkit.Arrival;
import dev.outbox.testkit.InMemoryBroker;
import dev.outbox.testkit.Overtaking;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on what has arrived at an in-memory broker.
 *
 * <pre>{@code
 * assertThat(broker).hasReceived("orders.placed").withKey("42").once();
 * assertThat(broker).hasReceivedNothing("mails").hasNoRepeats();
 * assertThat(otherBroker).hasReceivedNothing();
 * assertThat(broker).keepsTheOrderOf(enqueued);
 * assertThat(broker).decodingWith(JacksonCodec.create()).hasReceived("orders.placed");
 * }</pre>
 */
public final class BrokerAssert extends AbstractAssert<BrokerAssert, InMemoryBroker> {
  private final PayloadCodec codec;

  BrokerAssert(InMemoryBroker broker, PayloadCodec codec) {
    super(broker, BrokerAssert.class);
    this.codec = codec;
  }

  /** Reads payloads with this codec. Default: JSON by Jackson. */
  public BrokerAssert decodingWith(PayloadCodec other) {
    return new BrokerAssert(actual, other).as(descriptionText());
  }

  /** At least one message has arrived at this topic; the calls that follow say which. */
  public MessagesAssert hasReceived(String topic) {
    List<MessagesAssert.Sighting> arrivals =
        actual.messages().stream()
            .map(a -> new MessagesAssert.Sighting("arrival " + a.number(), a.envelope()))
            .toList();
    return new MessagesAssert(arrivals, "message at the broker", codec)
        .as(descriptionText())
        .ofTopic(topic);
  }

  /** Nothing has arrived. */
  public BrokerAssert hasReceivedNothing() {
    return requireNone("nothing at the broker", actual.messages());
  }

  /** Nothing has arrived at this topic. */
  public BrokerAssert hasReceivedNothing(String topic) {
    return requireNone("nothing at " + topic, actual.messages(topic));
  }

  /** Something has arrived, and no message more than once. */
  public BrokerAssert hasNoRepeats() {
    List<Arrival> arrived = actual.messages();
    if (arrived.isEmpty()) {
      failWithMessage("expected no message more than once, but nothing has arrived");
    }
    List<Arrival> repeated =
        arrived.stream().filter(a -> actual.repeats().containsKey(a.id())).toList();
    return requireNone("no message more than once", repeated);
  }

  /**
   * All of these have arrived, at least one has a key, and those of a topic and key have first
   * arrived in this order. Leave dead letters out of the list: they do not arrive.
   *
   * @throws IllegalArgumentException when the list is empty
   */
  public BrokerAssert keepsTheOrderOf(List<MessageId> enqueued) {
    if (enqueued.isEmpty()) {
      throw new IllegalArgumentException("no ids, so no order; give those that were enqueued");
    }
    requireArrived(enqueued);
    requireSomeKey(Set.copyOf(enqueued));
    List<Overtaking> overtakings = actual.overtakings(enqueued);
    if (!overtakings.isEmpty()) {
      failWithMessage(
          "expected every key in order, but%s", Listing.of(overtakings, Overtaking::toString));
    }
    return this;
  }

  private void requireArrived(List<MessageId> enqueued) {
    Set<MessageId> arrived = actual.ids();
    List<MessageId> missing = enqueued.stream().filter(id -> !arrived.contains(id)).toList();
    if (!missing.isEmpty()) {
      failWithMessage(
          "expected every key in order, but some have not arrived%s",
          Listing.of(missing, MessageId::toString));
    }
  }

  private void requireSomeKey(Set<MessageId> enqueued) {
    if (actual.messages().stream()
        .noneMatch(arrival -> arrival.key() != null && enqueued.contains(arrival.id()))) {
      failWithMessage("expected every key in order, but none of these messages has a key");
    }
  }

  private BrokerAssert requireNone(String expected, List<Arrival> some) {
    if (!some.isEmpty()) {
      failWithMessage("expected %s, but there are%s", expected, Listing.of(some, Row::of));
    }
    return this;
  }
}
