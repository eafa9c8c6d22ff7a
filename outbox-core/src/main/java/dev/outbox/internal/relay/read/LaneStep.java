package dev.outbox.internal.relay.read;

import dev.outbox.StoreException;
import dev.outbox.internal.relay.base.DutyCycle;
import dev.outbox.internal.relay.base.LockPatience;
import dev.outbox.internal.relay.base.LockWaits;
import dev.outbox.internal.relay.base.Ticker;
import dev.outbox.internal.relay.lane.Lanes;
import dev.outbox.internal.relay.lane.ReadableLane;
import dev.outbox.internal.text.ShortText;
import dev.outbox.spi.lane.Lane;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A step that one call takes for several lanes, and that may meet rows which other sessions keep
 * locked or the database refuses to move. It rests for the lanes of those rows; for the others it
 * goes on.
 *
 * <p>Used by the loop thread only.
 */
/*
 * A call that failed does not say for which lane. So from then on each of its lanes gets a separate call, until
 * that succeeds: lanes with locked rows fail once more and rest, the others share a call again. Lanes that
 * were not waited for yet come first. All waits together take a quarter of the time at most: the more lanes rest, the
 * longer each of them does.
 */
final class LaneStep {
  private static final Logger log = LoggerFactory.getLogger(LaneStep.class);
  private static final Duration LEAST = Duration.ofMillis(250);
  private static final int PART = 4;
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(2);

  private final ReadCapacity readCapacity;
  private final LockWaits lockWaits;
  private final String relay;
  private final String what;
  private final Ticker ticker;
  private final Map<Lane, Rest> alone = new HashMap<>();

  LaneStep(
      ReadCapacity readCapacity, LockWaits lockWaits, String relay, String what, Ticker ticker) {
    this.readCapacity = readCapacity;
    this.lockWaits = lockWaits;
    this.relay = relay;
    this.what = what;
    this.ticker = ticker;
  }

  /** When the next separate call for a lane is due. */
  private static final class Rest {
    private final DutyCycle calls = new DutyCycle(LEAST, PART);
    private boolean hasWaited;
  }

  /**
   * Takes the {@code step} for the lanes that are {@code wanted}. True when it did something, or
   * when lanes are left for which it is to be taken at once.
   */
  boolean take(Predicate<ReadableLane> wanted, Predicate<List<ReadableLane>> step) {
    Lanes<ReadableLane> runs = readCapacity.runs();
    List<ReadableLane> together = runs.awake().those(wanted);
    List<ReadableLane> apart = List.of();
    if (!alone.isEmpty()) {
      alone.keySet().removeIf(lane -> !runs.any(run -> run.lane().equals(lane)));
      apart =
          together.stream()
              .filter(this::isAlone)
              .sorted(Comparator.comparing(this::hasWaited))
              .toList();
      together = together.stream().filter(run -> !isAlone(run)).toList();
    }
    boolean busy = !together.isEmpty() && takeFor(together, step);
    for (ReadableLane run : apart) {
      busy |= isAlone(run) && !isResting(run) && takeFor(List.of(run), step);
    }
    return busy;
  }

  /** For which lanes it has been taken in vain, in words; empty when it goes on for all. */
  String waits() {
    List<Integer> waiting = waiting();
    return waiting.isEmpty()
        ? ""
        : "waits to %s of lanes %s, see the log".formatted(what, ShortText.ranges(waiting));
  }

  private List<Integer> waiting() {
    return alone.entrySet().stream()
        .filter(each -> each.getValue().hasWaited)
        .map(each -> each.getKey().number())
        .toList();
  }

  private boolean isAlone(ReadableLane run) {
    return alone.containsKey(run.lane());
  }

  private boolean hasWaited(ReadableLane run) {
    Rest rest = alone.get(run.lane());
    return rest != null && rest.hasWaited;
  }

  private boolean isResting(ReadableLane run) {
    Rest rest = alone.get(run.lane());
    return rest != null && rest.calls.isResting(ticker.now());
  }

  private boolean takeFor(List<ReadableLane> lanes, Predicate<List<ReadableLane>> step) {
    if (lockWaits.hasWaited()) {
      return true;
    }
    Ticker.Moment begun = ticker.now();
    try {
      boolean busy = step.test(lanes);
      lanes.forEach(this::tellTaken);
      return busy;
    } catch (StoreException e) {
      if (!e.isOfItsRows()) {
        throw e;
      }
      Duration waited = ticker.now().surelySince(begun);
      lockWaits.waited(ticker.now().since(begun));
      if (lanes.size() == 1) {
        rest(lanes.get(0).lane(), waited, e);
        return false;
      }
      log.warn(
          "relay={} could not {}, {}; it tries lane by lane: {}",
          relay,
          what,
          LockPatience.why(e),
          e.getMessage());
      lanes.forEach(run -> alone.put(run.lane(), new Rest()));
      return true;
    }
  }

  private void tellTaken(ReadableLane run) {
    Rest rest = alone.remove(run.lane());
    if (rest != null && rest.hasWaited) {
      log.info("relay={} goes on to {} of lane={}", relay, what, run.lane());
    }
  }

  private void rest(Lane lane, Duration waited, StoreException failure) {
    Rest rest = alone.computeIfAbsent(lane, unknown -> new Rest());
    if (!rest.hasWaited) {
      log.warn(
          "relay={} waits to {} of lane={}, {}; the other lanes go on: {}",
          relay,
          what,
          lane,
          LockPatience.why(failure),
          failure.getMessage());
    }
    rest.hasWaited = true;
    boolean locked = LockPatience.isLocked(failure);
    Duration time = locked ? waited.multipliedBy(waiting().size()) : AFTER_REFUSAL;
    rest.calls.ended(ticker.now(), time);
  }
}
