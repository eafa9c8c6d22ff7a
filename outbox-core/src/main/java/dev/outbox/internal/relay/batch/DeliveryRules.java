package dev.outbox.internal.relay.batch;

import dev.outbox.Claiming;
import dev.outbox.internal.relay.base.Durations;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.topic.LoneOutage;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Publisher;
import dev.outbox.spi.lane.HeldKey;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What decides over messages: the gates before they fly, the publisher's word on silence, and the
 * decision after they have landed.
 *
 * <p>Safe for use by many threads.
 */
public record DeliveryRules(
    SettleDecision decision,
    TopicGates gates,
    Publisher publisher,
    Claiming claiming,
    Duration publishDeadline) {
  private static final Logger log = LoggerFactory.getLogger(DeliveryRules.class);

  /** As the settings of a relay, its gates and its publisher say. */
  public static DeliveryRules of(
      RelaySettings settings, TopicGates gates, Publisher publisher, Claiming claiming) {
    return new DeliveryRules(
        new SettleDecision(settings.retries(), gates::isStrict),
        gates,
        publisher,
        claiming,
        settings.deadlines().publish());
  }

  /** The key in whose order the message stands, or null; by rows there is no order. */
  @Nullable HeldKey ordered(StoredEnvelope message) {
    return claiming == Claiming.ROWS ? null : message.holdable();
  }

  /** The fate of a message that must not be published at all, or null. */
  @Nullable Fate unfit(StoredEnvelope message, FlightTerms terms) {
    StoredEnvelope.Defect defect = message.defect();
    return defect == null
        ? terms.unfit().fate(message)
        : decision.unfit(message, defect, terms.now());
  }

  /** These messages are not published after all, though the gates let them pass. */
  public void withdraw(List<Envelope> envelopes) {
    envelopes.forEach(gates::withdrawn);
  }

  /**
   * What the answers of a flight count as, or their absence; it was let through when that many
   * {@code outages} were known. Its own outages come first: only a delivery after the last of them
   * says that the broker is back.
   */
  List<Ack> answers(OpenFlight flight, long outages, Ticker.Moment now) {
    List<Ack> answers = new ArrayList<>(flight.aboard().size());
    List<Integer> others = new ArrayList<>();
    for (int place = 0; place < flight.aboard().size(); place++) {
      Ack answer = given(flight, place);
      boolean isOutage = answer instanceof Ack.Unavailable;
      answers.add(isOutage ? counted(answer, flight, place, outages, now) : answer);
      if (!isOutage) {
        others.add(place);
      }
    }
    for (int place : others) {
      answers.set(place, counted(answers.get(place), flight, place, outages, now));
    }
    return answers;
  }

  private Ack given(OpenFlight flight, int place) {
    Ack answer = flight.answer(place);
    return answer == null ? silence(flight.envelopes().get(place)) : answer;
  }

  /** What the answer of one message counts as. */
  Ack counted(Ack answer, OpenFlight flight, int place, long outages, Ticker.Moment now) {
    Ticker.Moment at = Objects.requireNonNullElse(flight.answered(place), now);
    return gates.answered(flight.envelopes().get(place), answer, outages, at);
  }

  /** True for an answer that does not hang on whether the broker is down. */
  static boolean isOfTheMessage(Ack answer) {
    return answer instanceof Ack.Delivered
        || answer instanceof Ack.Rejected
        || (answer instanceof Ack.Failed failed && failed.cause() instanceof LoneOutage);
  }

  private Ack silence(Envelope envelope) {
    TimeoutException silence =
        new TimeoutException(
            "no answer within the publishDeadline of %s; answer every envelope, or raise the deadline"
                .formatted(Durations.text(publishDeadline)));
    try {
      return Objects.requireNonNull(publisher.unanswered(envelope, silence), "unanswered");
    } catch (Throwable thrown) { // the user's code must not end the relay
      log.error("Publisher.unanswered threw, the message counts as failed", thrown);
      return Ack.failed(silence);
    }
  }
}
