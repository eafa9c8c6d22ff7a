package dev.outbox.internal.relay.batch;

import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What decides over messages: the gates before they fly, the publisher's word on silence, and the
 * decision after they have landed.
 *
 * <p>Safe for use by many threads.
 */
public record DeliveryRules(SettleDecision decision, TopicGates gates, Publisher publisher) {
  private static final Logger log = LoggerFactory.getLogger(DeliveryRules.class);

  /** These messages are not published after all, though the gates let them pass. */
  public void withdraw(List<Envelope> envelopes) {
    envelopes.forEach(gates::withdrawn);
  }

  /** The answer of a message, or what its absence means. */
  Ack answer(OpenFlight flight, int place) {
    Ack answer = flight.answer(place);
    return answer == null ? silence(flight.envelopes().get(place)) : answer;
  }

  private Ack silence(Envelope envelope) {
    TimeoutException silence =
        new TimeoutException(
            "no answer within the publishDeadline; answer every envelope, or raise the deadline");
    try {
      return Objects.requireNonNull(publisher.unanswered(envelope, silence), "unanswered");
    } catch (Throwable thrown) { // the user's code must not end the relay
      log.error("Publisher.unanswered threw, the message counts as failed", thrown);
      return Ack.failed(silence);
    }
  }
}
