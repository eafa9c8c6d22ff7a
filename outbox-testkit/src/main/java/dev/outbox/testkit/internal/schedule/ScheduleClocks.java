package dev.outbox.testkit.internal.schedule;

import dev.outbox.testkit.crash.CrashRun;
import dev.outbox.testkit.schedule.CoveredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The clocks of a scene: one of all relays that only goes forwards, a wall clock for each that can
 * be set, and the store's, which is moved along.
 *
 * <p>Used by one thread. The relays' clock runs ahead of the store's by a little with each turn.
 * The store's clock is set forwards by no more than the margin within which a lease is not relied
 * on, and back by less than a lease: beyond these nothing is promised.
 */
final class ScheduleClocks {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration TICK = Duration.ofMillis(40);
  private static final int MOST_SETTINGS = 3;

  private final ScheduleRun scheduleRun;
  private final Map<Integer, Duration> walls = new HashMap<>();
  private Duration passed = Duration.ZERO;
  private Duration ticks = Duration.ZERO;
  private Duration ahead = Duration.ZERO;
  private Duration lastForwards = Duration.ofSeconds(-100);
  private Duration lastSetback = Duration.ofSeconds(-100);
  private int settings;

  ScheduleClocks(ScheduleRun scheduleRun) {
    this.scheduleRun = scheduleRun;
  }

  /** Time as a bystander sees it, in nanoseconds. */
  long sinceTheBeginning() {
    return passed.toNanos();
  }

  /** How far the store's clock has gone, at most. */
  Duration ofTheStore() {
    return passed.plus(ahead);
  }

  /** The store goes back, but no clock does. */
  void setBack() {
    lastSetback = passed;
  }

  /** How long ago the store last went back. Leases that were released since are over by then. */
  Duration sinceSetback() {
    return passed.minus(lastSetback);
  }

  /** The monotonic clock of every relay. */
  long nanos() {
    return passed.plus(ticks).toNanos();
  }

  /** The wall clock of the relay in this place. */
  Instant wall(int place) {
    return START.plus(passed).plus(ticks).plus(walls.getOrDefault(place, Duration.ZERO));
  }

  /** A relay takes a turn. */
  void tick() {
    ticks = ticks.plus(TICK);
  }

  /** Whole seconds, for all clocks. */
  void pass(Duration time) throws Exception {
    passed = passed.plus(time);
    scheduleRun.testWorld().passTime(time);
    scheduleRun.scheduledRelays().noteStandstills();
  }

  /** As {@link #pass}, for who waits in the middle of something. */
  void rest(Duration time) {
    try {
      pass(time);
    } catch (Exception e) {
      throw new IllegalStateException("time cannot pass", e);
    }
  }

  void setStore(Duration by) throws Exception {
    boolean forwards = !by.isNegative();
    boolean lately = passed.minus(lastForwards).compareTo(CrashRun.LEASE.multipliedBy(2)) < 0;
    if ((forwards && lately) || settings == MOST_SETTINGS) {
      return;
    }
    settings++;
    if (forwards) {
      lastForwards = passed;
      ahead = ahead.plus(by);
    }
    scheduleRun.testWorld().passTime(by);
    scheduleRun.scheduleLedger().count(CoveredEvent.CLOCK_SET);
    scheduleRun.scheduledRelays().noteStandstills();
  }

  void setWall(int place, Duration by) {
    walls.merge(place, by, Duration::plus);
    scheduleRun.scheduleLedger().count(CoveredEvent.CLOCK_SET);
  }
}
