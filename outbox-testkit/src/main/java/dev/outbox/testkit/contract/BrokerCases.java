package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.testkit.internal.Crew;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** What the cases of the broker contract share: flights again and again, until all is delivered. */
abstract class BrokerCases extends PublisherCases {
  BrokerCases(Opener opener) {
    super(opener);
  }

  BrokerEnvironment broker() {
    return (BrokerEnvironment) environment;
  }

  /** That many messages of that many keys, the keys taking turns. */
  List<Envelope> takingTurns(int keys, int each) {
    List<Envelope> envelopes = new ArrayList<>();
    for (int number = 0; number < each; number++) {
      for (int key = 0; key < keys; key++) {
        envelopes.add(message("k" + key, "k" + key + " " + number));
      }
    }
    return envelopes;
  }

  /** A flight that is on its way; {@code meanwhile} happens to the broker. */
  WatchedFlight during(List<Envelope> envelopes, Step meanwhile) throws Exception {
    WatchedFlight flight = begin(envelopes, environment.deadline());
    Future<?> published = Crew.start(() -> publish(flight));
    meanwhile.take();
    awaitAll(flight, published);
    return flight;
  }

  /** As {@link #during}, but {@code meanwhile} waits until the first message is delivered. */
  WatchedFlight inMidFlight(List<Envelope> envelopes, Step meanwhile) throws Exception {
    WatchedFlight flight = begin(envelopes, environment.deadline());
    Future<?> published = Crew.start(() -> publish(flight));
    flight.awaitDelivered();
    assertThat(flight.delivered()).as("delivered before the outage").isNotEmpty();
    meanwhile.take();
    awaitAll(flight, published);
    return flight;
  }

  private void awaitAll(WatchedFlight flight, Future<?> published) throws Exception {
    flight.awaitAnswers();
    Crew.end(published, environment.deadline());
    assertThat(flight.unanswered()).as("envelopes without an answer at the deadline").isEmpty();
  }

  /** Something that happens to the broker. */
  interface Step {
    void take() throws Exception;
  }

  /** No fault of a message: nothing that would count an attempt. */
  static void requireNoBlame(WatchedFlight flight) {
    for (Envelope envelope : flight.envelopes()) {
      assertThat(flight.answer(envelope))
          .as("an outage counts no attempt")
          .isInstanceOfAny(Ack.Delivered.class, Ack.Unavailable.class, Ack.NotSent.class);
    }
  }

  /** Every key has all of its messages, the first of each in order. */
  void requireInOrder(int keys, int each) throws Exception {
    Map<String, Set<String>> arrived = new HashMap<>();
    for (Received received : environment.received()) {
      String text = new String(received.bytes(), StandardCharsets.UTF_8);
      arrived.computeIfAbsent(received.key(), key -> new LinkedHashSet<>()).add(text);
    }
    for (int key = 0; key < keys; key++) {
      String name = "k" + key;
      assertThat(arrived.getOrDefault(name, Set.of()))
          .as("what arrived of key %s, without repeats", name)
          .containsExactlyElementsOf(
              IntStream.range(0, each).mapToObj(number -> name + " " + number).toList());
    }
  }
}
