package dev.outbox.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.publish.Ack;
import dev.outbox.testkit.internal.Crew;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A broker that is down is distinguished from a message that is refused, and neither loses
 * anything.
 */
abstract class NotTakenCases extends PublisherCases {
  NotTakenCases(Opener opener) {
    super(opener);
  }

  @Test
  void a_refused_message_fails_for_itself_only() throws Exception {
    if (environment.refusal().isEmpty()) {
      leftOut("refusal");
      return;
    }
    List<Envelope> envelopes = oneOfEachKey(10);
    Set<MessageId> refused = Set.of(envelopes.get(3).id(), envelopes.get(9).id());
    environment.refusal().get().refuse(refused::contains);

    WatchedFlight flight = fly(envelopes);

    for (Envelope envelope : envelopes) {
      if (refused.contains(envelope.id())) {
        assertThat(flight.answer(envelope)).isInstanceOfAny(Ack.Failed.class, Ack.Rejected.class);
      } else {
        assertThat(flight.answer(envelope)).isInstanceOf(Ack.Delivered.class);
      }
    }
    assertThat(arrivedIds()).doesNotContainAnyElementsOf(refused);
  }

  @Test
  void a_broker_that_is_down_rejects_nothing_and_delivers_nothing() throws Exception {
    if (environment.outage().isEmpty()) {
      leftOut("outage");
      return;
    }
    environment.outage().get().takeDown();
    List<Envelope> envelopes = oneOfEachKey(10);
    WatchedFlight flight = attempt(envelopes);
    for (Envelope envelope : envelopes) {
      assertThat(flight.answer(envelope))
          .as("the answer while the broker is down")
          .isInstanceOfAny(Ack.Unavailable.class, Ack.NotSent.class, Ack.Failed.class);
    }
    environment.outage().get().bringUp();
  }

  /** As every flight, but for what has arrived: a broker that is down cannot be asked. */
  private WatchedFlight attempt(List<Envelope> envelopes) throws Exception {
    WatchedFlight flight = begin(envelopes, environment.deadline());
    Crew.within(environment.deadline().plusSeconds(1), () -> publish(flight));
    flight.awaitAnswers();
    assertThat(flight.unanswered()).as("envelopes without an answer at the deadline").isEmpty();
    return flight;
  }

  @Test
  void what_was_not_delivered_is_delivered_once_the_broker_is_back() throws Exception {
    if (environment.outage().isEmpty()) {
      leftOut("outage");
      return;
    }
    List<Envelope> envelopes = oneOfEachKey(10);
    fly(message("before", "before"));
    environment.outage().get().takeDown();
    attempt(envelopes);
    environment.outage().get().bringUp();
    deliverTheRest(envelopes);
  }
}
