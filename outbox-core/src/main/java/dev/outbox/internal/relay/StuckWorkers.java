package dev.outbox.internal.relay;

import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.flight.OpenFlight;
import dev.outbox.internal.relay.flight.PublishTask;
import dev.outbox.internal.relay.topic.TopicGates;
import dev.outbox.internal.text.ShortText;
import dev.outbox.message.Envelope;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of the way by rows that are stuck in the publisher: the deadline of their flight is
 * over, but the publisher has not returned.
 *
 * <p>Safe for use by many threads.
 */
/*
 * No other thread takes the place of such a worker. Its claim ends with its session, so its messages are claimed again, by
 * a worker that may hang on the same one. A stuck worker cannot log this itself. Another worker logs it, or a call of
 * status() or health() does.
 */
final class StuckWorkers {
  private static final Logger log = LoggerFactory.getLogger(StuckWorkers.class);

  private final TopicGates gates;
  private final Set<OpenFlight> inThePublisher = new HashSet<>();
  private final Set<OpenFlight> told = new HashSet<>();

  /** What they keep is let go of at the {@code gates}: other workers go on with its topics. */
  StuckWorkers(TopicGates gates) {
    this.gates = gates;
  }

  /** Publishes on the thread of a worker of this {@code relay}. */
  void publish(String relay, PublishTask task) {
    begins(task.flight());
    try {
      task.run();
    } finally {
      returned(relay, task.flight());
    }
  }

  private synchronized void begins(OpenFlight flight) {
    inThePublisher.add(flight);
  }

  private synchronized void returned(String relay, OpenFlight flight) {
    inThePublisher.remove(flight);
    if (!told.remove(flight)) {
      return;
    }
    gates.returned(flight.envelopes());
    if (told.isEmpty()) {
      log.info("relay={} no thread is stuck in the publisher any more", relay);
    }
  }

  /** Counts them, and logs those that are new. */
  synchronized int note(RelaySettings settings, Ticker.Moment now) {
    int stuck = 0;
    for (OpenFlight flight : inThePublisher) {
      Duration airborne = flight.airborne(now);
      if (airborne != null && airborne.compareTo(settings.deadlines().publish()) >= 0) {
        stuck++;
        if (told.add(flight)) {
          gates.abandoned(flight.envelopes());
          tell(settings.name(), flight);
        }
      }
    }
    return stuck;
  }

  private void tell(String relay, OpenFlight flight) {
    Envelope message = firstUnanswered(flight);
    log.error(
        "relay={} {} threads are stuck in the publisher, the last with topic={} message={}, which comes to another worker next; give its client a time-out below the publishDeadline, and restart to free those that never return",
        relay,
        told.size(),
        ShortText.oneLine(message.topic()),
        message.id());
  }

  /** Most publishers send in order. */
  private static Envelope firstUnanswered(OpenFlight flight) {
    int place = 0;
    while (place < flight.envelopes().size() - 1 && flight.answer(place) != null) {
      place++;
    }
    return flight.envelopes().get(place);
  }
}
