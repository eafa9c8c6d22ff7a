package dev.outbox.internal.relay;

import dev.outbox.RelayStatus;
import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.PublishThreads;
import dev.outbox.internal.relay.base.RelaySettings;
import dev.outbox.internal.relay.base.StoreOutage;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.read.WakeupQueue;
import dev.outbox.message.Envelope;
import dev.outbox.publish.Ack;
import dev.outbox.publish.Flight;
import dev.outbox.publish.Publisher;
import dev.outbox.publish.RelayListener;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A relay on its own clock: takes turns and waits between them as the loop does, in no time.
 *
 * <p>Used by one thread. A turn takes 0.1 ms; a publisher answers after its latency.
 */
public final class SteppedRelay {
  static final RelaySettings SETTINGS = Samples.settings(RelayListener.SILENT);
  private static final Duration TURN = Duration.ofNanos(100_000);

  final ScriptedLanes lanes;
  public final List<Published> published = new ArrayList<>();
  final RelayState relayState;

  /** What the broker answers; null is silence. */
  public Function<Envelope, @Nullable Ack> broker = envelope -> Ack.delivered();

  boolean silenceIsAnOutage;

  public Duration latency = Duration.ZERO;

  public int turnsTaken;

  /** Turns that did nothing, and after which the loop would not have rested. */
  public int spins;

  private final List<Landing> landings = new ArrayList<>();
  private final StoreOutage storeOutage;
  private final WakeupQueue wakeupQueue;
  private final LaneWorker turns;
  private Instant now = Samples.START;
  private boolean signalled;

  /** What reached the publisher, when, and how many were in flight then. */
  public record Published(Envelope envelope, Duration at, int together) {}

  private record Landing(Flight flight, Instant when) {}

  public SteppedRelay(ScriptedLanes lanes) {
    this(lanes, SETTINGS, Runnable::run);
  }

  public SteppedRelay(ScriptedLanes lanes, RelaySettings settings, PublishThreads threads) {
    this(lanes, settings, threads, new RelayState());
  }

  /** A relay whose jitter comes from {@code random}. */
  SteppedRelay(ScriptedLanes lanes, RandomGenerator random) {
    this(lanes, SETTINGS, Runnable::run, new RelayState(random));
  }

  private SteppedRelay(
      ScriptedLanes lanes, RelaySettings settings, PublishThreads threads, RelayState relayState) {
    this.lanes = lanes;
    this.relayState = relayState;
    Ticker ticker = Ticker.of(() -> now);
    this.wakeupQueue = new WakeupQueue(() -> {}, ticker);
    this.storeOutage = new StoreOutage(settings.name(), ticker, relayState.random);
    Publisher publisher =
        new Publisher() {
          @Override
          public void publish(Flight flight) {
            SteppedRelay.this.publish(flight);
          }

          @Override
          public Ack unanswered(Envelope envelope, TimeoutException silence) {
            return silenceIsAnOutage ? Ack.unavailable(silence) : Ack.failed(silence);
          }
        };
    this.turns =
        new LaneWorker(
            ScriptedStore.of(lanes),
            publisher,
            settings,
            new Surroundings(threads, ticker, () -> signalled = true, wakeupQueue, relayState));
  }

  private void publish(Flight flight) {
    lanes.asked.add(new ScriptedLanes.Asked("publish", flight.envelopes()));
    int together = landings.stream().mapToInt(each -> each.flight().envelopes().size()).sum();
    for (Envelope each : flight.envelopes()) {
      published.add(new Published(each, time(), together + flight.envelopes().size()));
    }
    landings.add(new Landing(flight, now.plus(latency)));
    land();
  }

  void land() {
    List<Landing> over = landings.stream().filter(each -> !each.when().isAfter(now)).toList();
    landings.removeAll(over);
    for (Landing each : over) {
      for (Envelope envelope : each.flight().envelopes()) {
        Ack ack = broker.apply(envelope);
        if (ack != null) {
          each.flight().ack(envelope, ack);
        }
      }
    }
  }

  /** The time since the start. */
  public Duration time() {
    return Duration.between(Samples.START, now);
  }

  public boolean turn() {
    signalled = false;
    boolean busy = turns.step();
    turnsTaken++;
    now = now.plus(TURN);
    return busy;
  }

  /** Takes turns and waits for so long. */
  public void pass(Duration time) {
    Instant end = now.plus(time);
    while (now.isBefore(end)) {
      land();
      try {
        rest(turn(), end);
        storeOutage.over();
      } catch (StoreException e) {
        turns.afterFailure(e);
        signalled = false;
        await(storeOutage.failed(e), Instant.MAX);
      }
    }
  }

  /** Time passes in which the relay does nothing. */
  public void elapse(Duration time) {
    now = now.plus(time);
  }

  private void rest(boolean busy, Instant end) {
    Duration rest = turns.longestRest();
    if (signalled || (busy && rest.isZero())) {
      signalled = false;
      return;
    }
    if (rest.isZero()) {
      spins++;
    }
    await(rest.compareTo(TURN) < 0 ? TURN : rest, end);
  }

  /** Waits for a signal, at most for {@code rest} and until {@code end}. */
  private void await(Duration rest, Instant end) {
    Instant over = now.plus(rest);
    Instant until = over.isBefore(end) ? over : end;
    while (!signalled && nextLanding().isBefore(until)) {
      now = nextLanding();
      land();
    }
    now = signalled ? now : until;
  }

  private Instant nextLanding() {
    return landings.stream().map(Landing::when).min(Instant::compareTo).orElse(Instant.MAX);
  }

  public void pass(long millis) {
    pass(Duration.ofMillis(millis));
  }

  public void wake(Lane... woken) {
    wakeupQueue.woken(Set.of(woken));
  }

  public LaneWorker turns() {
    return turns;
  }

  public RelayStatus status() {
    return new RelayHealth(true, false, null, null)
        .status("stepped", relayState.relayCounters, Samples.at(time()));
  }

  /** The envelopes that reached the publisher, in order. */
  public List<Envelope> envelopes() {
    return published.stream().map(Published::envelope).toList();
  }
}
