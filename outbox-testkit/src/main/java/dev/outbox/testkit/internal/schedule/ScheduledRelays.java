package dev.outbox.testkit.internal.schedule;

import dev.outbox.Claiming;
import dev.outbox.testkit.crash.Crash;
import dev.outbox.testkit.crash.CrashRun;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.schedule.CoveredEvent;
import dev.outbox.testkit.schedule.DrivenRelay;
import dev.outbox.testkit.schedule.RelaySpec;
import dev.outbox.testkit.schedule.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The relays of a scene, each in its place.
 *
 * <p>Used by one thread.
 */
final class ScheduledRelays {
  /** A relay that has not taken a turn for so long may have lost leases: it renews that often. */
  private static final Duration SURE = CrashRun.LEASE.minus(CrashRun.LEASE.dividedBy(3));

  private final ScheduleRun scheduleRun;
  private final Settings settings;
  private final SplittableRandom random;
  private final Steps steps;
  private final StepFaults stepFaults;
  private final @Nullable ScheduledRelay[] places;
  private final Map<String, ScheduledRelay> byName = new HashMap<>();
  private final Set<String> stoodStill = new HashSet<>();
  private int generations;

  ScheduledRelays(ScheduleRun scheduleRun, Settings settings, SplittableRandom random) {
    this.scheduleRun = scheduleRun;
    this.settings = settings;
    this.random = random;
    this.places = new @Nullable ScheduledRelay[settings.relays()];
    this.stepFaults = new StepFaults(scheduleRun);
    this.steps = new Steps(stepFaults, scheduleRun.scheduleLedger());
  }

  private RelaySpec post(int place, String name) {
    return new RelaySpec(
        name,
        scheduleRun.testWorld().store(name, steps),
        steps.watch(
            name, scheduleRun.broker().publisher(name, scheduleRun.plan().answersLater(place))),
        scheduleRun.time()::nanos,
        () -> scheduleRun.time().wall(place),
        random.split(),
        scheduleRun.plan().batch());
  }

  /** The relay in this place; the first one comes by itself. */
  private @Nullable ScheduledRelay member(int place) {
    if (places[place] == null && byName.get(Decision.place(place)) == null) {
      recruit(place, Decision.place(place));
    }
    return places[place];
  }

  private void recruit(int place, String name) {
    DrivenRelay drivenRelay = settings.recruiting().at(post(place, name));
    ScheduledRelay scheduledRelay = new ScheduledRelay(place, name, drivenRelay, scheduleRun);
    places[place] = scheduledRelay;
    byName.put(name, scheduledRelay);
  }

  void join(int place) {
    if (member(place) == null) {
      recruit(place, Decision.place(place) + (++generations + 1));
      scheduleRun.scheduleLedger().count(CoveredEvent.JOIN);
    }
  }

  void turn(int place) {
    ScheduledRelay scheduledRelay = member(place);
    if (scheduledRelay != null) {
      scheduledRelay.turn();
    }
  }

  void drain(int place) {
    ScheduledRelay scheduledRelay = member(place);
    if (scheduledRelay != null) {
      scheduledRelay.drain();
    }
  }

  void ambush(RelayDecision.Ambush ambush) {
    ScheduledRelay scheduledRelay = member(ambush.relay());
    if (scheduledRelay != null) {
      stepFaults.lay(scheduledRelay.name(), ambush);
    }
  }

  /** Also calls off a pause that has not come about. */
  void resume(int place) {
    ScheduledRelay scheduledRelay = places[place];
    if (scheduledRelay != null) {
      scheduledRelay.goOn();
      stepFaults.callOffPauses(scheduledRelay.name());
    }
  }

  @Nullable ScheduledRelay named(String name) {
    return byName.get(name);
  }

  boolean isDead(ScheduledRelay scheduledRelay) {
    return steps.isDead(scheduledRelay.name());
  }

  void kill(int place) {
    ScheduledRelay scheduledRelay = places[place];
    if (scheduledRelay != null && !isDead(scheduledRelay)) {
      scheduleRun.scheduleLedger().count(CoveredEvent.KILL);
      dropped(scheduledRelay.name(), "killed");
    }
  }

  /** Dies in the middle of what it does. */
  void die(String name, String why) {
    dropped(name, why);
    throw new Crash(name, why);
  }

  private void dropped(String name, String why) {
    if (!steps.isDead(name)) {
      scheduleRun.scheduleLedger().of(NoteKind.FAULT, name, why);
      steps.kill(name);
      stoodStill.add(name);
    }
  }

  /** Gives up what belongs to the dead, as soon as they have come back from where they died. */
  void forgetTheDead() {
    for (ScheduledRelay scheduledRelay : places) {
      if (scheduledRelay != null && !scheduledRelay.isBusy() && isDead(scheduledRelay)) {
        places[scheduledRelay.place()] = null;
        scheduledRelay.crash();
      }
    }
  }

  void close(int place, boolean patiently) {
    ScheduledRelay scheduledRelay = places[place];
    if (scheduledRelay != null) {
      scheduledRelay.close(patiently);
    }
  }

  /** It has closed. */
  void left(ScheduledRelay scheduledRelay) {
    places[scheduledRelay.place()] = null;
    stepFaults.callOff(scheduledRelay.name());
  }

  /**
   * Who has not worked for so long that others may have its lanes is excused for what it holds. A
   * claim by rows is held by its session, whatever the time.
   */
  void noteStandstills() {
    if (settings.claiming() == Claiming.ROWS) {
      return;
    }
    for (ScheduledRelay scheduledRelay : places) {
      if (scheduledRelay != null && scheduledRelay.hasIdledFor(SURE)) {
        scheduleRun
            .scheduleLedger()
            .of(NoteKind.FAULT, scheduledRelay.name(), "stands still for longer than its leases");
        scheduleRun.scheduleLedger().count(CoveredEvent.STANDSTILL);
        stoodStill.add(scheduledRelay.name());
      }
    }
  }

  /**
   * The store has gone back: who has something in flight may find that another relay owns its lane,
   * and a claim by rows is lost with its session.
   */
  void loseSessions() {
    for (ScheduledRelay scheduledRelay : places) {
      if (scheduledRelay != null) {
        stoodStill.add(scheduledRelay.name());
        scheduledRelay.loseSession();
      }
    }
  }

  boolean hasStoodStill(String name) {
    return stoodStill.contains(name);
  }

  /** True for none, and for a relay that is at work. */
  boolean isHere(@Nullable String owner) {
    ScheduledRelay scheduledRelay = owner == null ? null : byName.get(owner);
    return owner == null
        || (scheduledRelay != null && places[scheduledRelay.place()] == scheduledRelay);
  }

  /** Nothing waits any more. */
  void disarm() {
    stepFaults.callOff();
  }

  /** Everybody works, and looks everywhere; another comes if there is none. */
  void drainAll() {
    all(ScheduledRelay::drain);
  }

  /** As {@link #drainAll}, but looks as a loop does. */
  void workOn() {
    all(ScheduledRelay::workOn);
  }

  private void all(Consumer<ScheduledRelay> work) {
    for (ScheduledRelay scheduledRelay : places) {
      if (scheduledRelay != null && scheduledRelay.isLeaving()) {
        scheduledRelay.close(true);
      }
    }
    join(0);
    for (int place = 0; place < places.length; place++) {
      scheduleRun.broker().answerAll(null);
      ScheduledRelay scheduledRelay = places[place];
      if (scheduledRelay != null) {
        work.accept(scheduledRelay);
        scheduleRun.broker().answerAll(null);
        turn(place);
      }
      forgetTheDead();
    }
  }

  void closeAll() {
    for (int place = 0; place < places.length; place++) {
      close(place, true);
    }
  }
}
