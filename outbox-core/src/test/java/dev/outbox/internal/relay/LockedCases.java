package dev.outbox.internal.relay;

import dev.outbox.StoreException;
import dev.outbox.message.Envelope;
import dev.outbox.message.MessageId;
import dev.outbox.message.Payload;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.Fate;
import dev.outbox.spi.settle.Settlement;
import dev.outbox.spi.settle.StoredEnvelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;

/** A relay on its own clock, beside sessions that keep rows locked; its renewals are watched. */
abstract class LockedCases {
  static final Duration LEASE = Duration.ofSeconds(15);
  static final Duration WAIT = LEASE.dividedBy(4);
  static final Duration REST = WAIT.multipliedBy(3).plusSeconds(3);
  static final Duration RENEWAL = Duration.ofSeconds(6);

  ScriptedLanes lanes = watchedLanes(4);
  SteppedRelay relay = new SteppedRelay(lanes);
  long ids;
  Duration waited = Duration.ZERO;
  final Map<Lane, Duration> renewed = new HashMap<>();
  final Map<Lane, Duration> longestGap = new HashMap<>();

  @BeforeEach
  void leaseTheLanes() {
    relay.pass(1000);
  }

  ScriptedLanes watchedLanes(int number) {
    ScriptedLanes watched = new ScriptedLanes(number);
    watched.written = this::noteRenewal;
    return watched;
  }

  void start(int number) {
    lanes = watchedLanes(number);
    relay = new SteppedRelay(lanes);
    relay.pass(1000);
  }

  void keepRowsLocked(int... numbers) {
    lanes.refusal = StoreException.contended("canceling statement due to lock timeout", null);
    lanes.refusing = this::waitForALock;
    for (int number : numbers) {
      lanes.refused.add(lane(number));
    }
  }

  void lockLaneRows(int... numbers) {
    lanes.waiting = this::waitForALock;
    for (int number : numbers) {
      lanes.locked.add(lane(number));
    }
  }

  void failLocked() {
    waitForALock();
    throw StoreException.contended("canceling statement due to lock timeout", null);
  }

  /** As long as a session waits for a lock. */
  void waitForALock() {
    relay.elapse(WAIT);
    waited = waited.plus(WAIT);
  }

  /** What is refused is logged: that is left out here. */
  void passWatchingLeases(Duration time) {
    Duration end = relay.time().plus(time);
    List<String> unused =
        LogLines.of(
            () -> {
              while (relay.time().compareTo(end) < 0) {
                relay.pass(50);
                lanes.settlements.clear();
              }
            });
  }

  void noteRenewal(Settlement written) {
    if (written.after() != Settlement.After.RUN_ON) {
      Lane lane = written.lease().lane();
      Duration gap = relay.time().minus(renewed.getOrDefault(lane, Duration.ZERO));
      longestGap.merge(lane, gap, (old, one) -> old.compareTo(one) > 0 ? old : one);
      renewed.put(lane, relay.time());
    }
  }

  void delay(int number) {
    lanes.delayed.put(lane(number), new ArrayList<>(List.of(message(number))));
    relay.turns().lookEverywhere();
  }

  /** Above all that are published meanwhile. */
  static StoredEnvelope message(int number) {
    return StoredEnvelope.ready(1_000_000 - number, lane(number), Samples.envelope("later"));
  }

  /** Puts a message that takes all the memory of a relay. */
  void putLarge(int number) {
    Payload payload = new Payload("text/plain", new byte[1 << 20]);
    MessageId id = MessageId.next();
    Envelope envelope = new Envelope(id, Samples.TOPIC, null, Map.of(), payload, null);
    lanes.put(StoredEnvelope.ready(++ids, lane(number), envelope));
    relay.wake(lane(number));
  }

  /** Puts a message into each of these lanes, of which the next turn writes the end. */
  void publish(int... numbers) {
    put(numbers);
    relay.turn();
  }

  void put(int... numbers) {
    for (int number : numbers) {
      lanes.put(StoredEnvelope.ready(++ids, lane(number), Samples.envelope("k" + ids)));
      relay.wake(lane(number));
    }
  }

  Duration timeOfATurn() {
    Duration before = relay.time();
    relay.turn();
    return relay.time().minus(before);
  }

  static Lane lane(int number) {
    return new Lane(number);
  }

  List<Lane> lanesWithFates() {
    return lanes.settlements.stream()
        .filter(each -> each.fates().stream().anyMatch(Fate.Deliver.class::isInstance))
        .map(each -> each.lease().lane())
        .toList();
  }
}
