package dev.outbox.internal.relay.flight;

import dev.outbox.internal.relay.base.RelayCounters;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.record.Recording;
import dev.outbox.internal.text.ShortText;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.RelayListener;
import dev.outbox.publish.RelayListener.Outcome;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.HoldReason;
import dev.outbox.spi.settle.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listener what happened, and the loop that a flight is over.
 *
 * <p>What an {@link OpenFlight} calls is safe for use by many threads, the rest is used by the loop
 * thread.
 */
public final class RelayEvents implements FlightObserver {
  private static final Logger log = LoggerFactory.getLogger(RelayEvents.class);

  private final List<Settlement> lost = new ArrayList<>();
  private int missing;
  private Ticker.@Nullable Moment missingSince;
  private final AtomicInteger ignored = new AtomicInteger();
  private final AtomicBoolean metStranger = new AtomicBoolean();
  private final RelaySettings settings;
  private final Runnable wake;
  private final Ticker ticker;
  private final RelayCounters relayCounters;

  public RelayEvents(
      RelaySettings settings, Runnable wake, Ticker ticker, RelayCounters relayCounters) {
    this.settings = settings;
    this.wake = wake;
    this.ticker = ticker;
    this.relayCounters = relayCounters;
  }

  @Override
  public Ticker.Moment now() {
    return ticker.now();
  }

  @Override
  public void flightIsOver() {
    wake.run();
  }

  @Override
  public void ignoredAnswer() {
    ignored.incrementAndGet();
  }

  /** The first is logged; a publisher that does so once does so for ever. */
  @Override
  public void strangersAnswer(@Nullable Envelope stranger) {
    ignoredAnswer();
    if (!metStranger.getAndSet(true)) {
      log.warn(
          "relay={} topic={} message={} was answered, but is not in the flight, so the answer is ignored; answer with the objects that flight.envelopes() returned. More such answers are only counted",
          settings.name(),
          stranger == null ? null : stranger.topic(),
          stranger == null ? null : stranger.id());
    }
  }

  /** Passes on the answers ignored since the last call. */
  public void ignoredAnswers() {
    int count = ignored.getAndSet(0);
    if (count > 0) {
      relayCounters.ignoredAnswers.add(count);
      settings.listener().ignoredAnswers(count);
    }
  }

  /** A flight was handed to the publisher. */
  public void handedOut(OpenFlight flight) {
    if (settings.hasListener()) {
      flight.envelopes().stream()
          .collect(Collectors.groupingBy(Envelope::topic, TreeMap::new, Collectors.counting()))
          .forEach((topic, count) -> settings.listener().publishing(topic, count.intValue()));
    }
  }

  /** A flight has landed, that long after it took off. */
  public void landed(OpenFlight flight, Duration time) {
    if (!settings.hasListener() && !Recording.isPublishRecorded()) {
      return;
    }
    Map<String, Map<Outcome, Integer>> outcomes = new TreeMap<>();
    for (int place = 0; place < flight.envelopes().size(); place++) {
      outcomes
          .computeIfAbsent(
              flight.envelopes().get(place).topic(), topic -> new EnumMap<>(Outcome.class))
          .merge(outcome(flight.answer(place)), 1, Integer::sum);
    }
    outcomes.forEach(
        (topic, counts) ->
            counts.forEach((outcome, count) -> published(topic, count, outcome, time)));
  }

  private void published(String topic, int count, Outcome outcome, Duration time) {
    Recording.published(topic, outcome, count, time);
    settings.listener().published(new RelayListener.Published(topic, count, outcome, time));
  }

  private static Outcome outcome(@Nullable Ack answer) {
    if (answer == null) {
      return Outcome.UNANSWERED;
    } else if (answer instanceof Ack.Delivered) {
      return Outcome.DELIVERED;
    } else if (answer instanceof Ack.Failed) {
      return Outcome.FAILED;
    } else if (answer instanceof Ack.Rejected) {
      return Outcome.REJECTED;
    }
    return answer instanceof Ack.Unavailable ? Outcome.UNAVAILABLE : Outcome.NOT_SENT;
  }

  /** The lane is another relay's by now, so what was to be settled is forgotten. */
  public void lost(Settlement settlement) {
    lost.add(settlement);
    relayCounters.repeated.add(delivered(settlement.fates()));
    fenced(settlement.lease().lane());
  }

  private static long delivered(List<Fate> fates) {
    return fates.stream().filter(Fate.Deliver.class::isInstance).count();
  }

  /** Logs all lanes that were lost together in one line. */
  public void tellLost() {
    if (!lost.isEmpty()) {
      log.warn(
          "relay={} lost lanes {} to other relays, which may publish {} messages again",
          settings.name(),
          ShortText.ranges(lost.stream().map(each -> each.lease().lane().number()).toList()),
          lost.stream().mapToInt(each -> each.fates().size()).sum());
      lost.clear();
    }
  }

  public void fenced(Lane lane) {
    relayCounters.fenced.increment();
    Recording.fenced(lane.number());
    settings.listener().fenced(lane.number());
  }

  /** Passes on that messages turned up below the floor of a lane. */
  public void foundLate(Lane lane, int count) {
    if (count > 0) {
      log.warn(
          "relay={} found {} late messages in lane={} and publishes them, perhaps out of order: their transactions took longer than the grace, or ids went back",
          settings.name(),
          count,
          lane);
      relayCounters.foundLate.add(count);
      settings.listener().foundLate(lane.number(), count);
    }
  }

  /** Logs in one line what went missing together, once {@code moment} has passed. */
  public void tellMissing(Duration moment, Ticker.Moment now) {
    if (missingSince != null && now.since(missingSince).compareTo(moment) >= 0) {
      log.warn(
          "relay={} {} messages disappeared before their results were saved: the database went back to an"
              + " earlier state (failover, restore, TRUNCATE), or another program deletes from the outbox",
          settings.name(),
          missing);
      missingSince = null;
      missing = 0;
    }
  }

  private void missing(int count) {
    if (count > 0) {
      missing += count;
      missingSince = missingSince == null ? ticker.now() : missingSince;
    }
  }

  private void taken(Lane lane, int count) {
    if (count > 0) {
      log.warn(
          "relay={} parked {} messages of lane={} under new ids, because other parked messages have theirs;"
              + " they may be published after later messages of their key. The doctor's finding ids-behind"
              + " names the remedy",
          settings.name(),
          count,
          lane);
    }
  }

  /**
   * Passes on what one settlement wrote, how many of its messages were gone, and how many were
   * parked under other ids.
   */
  public void settled(Settlement settlement, int missing, int taken) {
    missing(missing);
    taken(settlement.lease().lane(), taken);
    settled(settlement.fates(), missing);
  }

  /** Passes on what was written. */
  public void settled(List<Fate> fates, int missing) {
    if (fates.isEmpty()) {
      return;
    }
    int parked = 0;
    int deadLetters = 0;
    for (Fate fate : fates) {
      if (fate instanceof Fate.Bury bury) {
        deadLetters++;
        Recording.deadLettered(bury);
        relayCounters.failures.deadLettered(settings.name(), bury, ticker.now());
        settings
            .listener()
            .deadLettered(bury.storedEnvelope().envelope(), bury.reason(), bury.error());
      } else if (fate instanceof Fate.Park park) {
        parked++;
        if (park.reason() == HoldReason.FAILED) {
          failed(park);
        }
      } else if (fate instanceof Fate.Deliver deliver && deliver.storedEnvelope().isParked()) {
        relayCounters.failures.delivered(deliver);
      }
    }
    RelayListener.Settled settled =
        new RelayListener.Settled(
            fates.size() - parked - deadLetters, parked, deadLetters, missing);
    relayCounters.settled(settled);
    settings.listener().settled(settled);
  }

  private void failed(Fate.Park park) {
    relayCounters.failures.failed(settings.name(), park, ticker.now());
    Recording.retried(park);
    settings
        .listener()
        .failed(
            park.storedEnvelope().envelope(),
            park.attempts(),
            Objects.requireNonNullElse(park.rest(), Duration.ZERO),
            Objects.requireNonNullElse(park.error(), ""));
  }
}
