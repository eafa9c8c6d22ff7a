package dev.outbox.testkit.internal.schedule;

import dev.outbox.StoreException;
import dev.outbox.testkit.crash.Crash;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Step;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.internal.schedule.RelayDecision.Ambush;
import dev.outbox.testkit.schedule.CoveredEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What waits for the relays of a scene at their steps: each strikes once.
 *
 * <p>Used by one thread.
 */
final class StepFaults implements Steps.Interruption {
  private final ScheduleRun scheduleRun;
  private final Map<String, List<Ambush>> waiting = new HashMap<>();

  StepFaults(ScheduleRun scheduleRun) {
    this.scheduleRun = scheduleRun;
  }

  /** Waits for the relay of this name. */
  void lay(String name, Ambush ambush) {
    waiting.computeIfAbsent(name, any -> new ArrayList<>()).add(ambush);
  }

  /** Nothing waits any more. */
  void callOff() {
    waiting.clear();
  }

  /** Nothing waits for the relay of this name any more. */
  void callOff(String name) {
    waiting.remove(name);
  }

  /** The relay of this name is not to stand still any more. */
  void callOffPauses(String name) {
    waiting
        .getOrDefault(name, new ArrayList<>())
        .removeIf(each -> each.deed() == Ambush.Deed.PAUSE);
  }

  @Override
  public void at(Steps steps, Step step, Step.Side side) {
    ScheduledRelay scheduledRelay = scheduleRun.scheduledRelays().named(step.who());
    List<Ambush> own = waiting.get(step.who());
    if (scheduledRelay == null || own == null) {
      return;
    }
    for (Ambush ambush : own) {
      if (ambush.point() == step.point() && ambush.side() == side) {
        own.remove(ambush);
        strike(scheduledRelay, ambush);
        return;
      }
    }
  }

  private void strike(ScheduledRelay scheduledRelay, Ambush ambush) {
    switch (ambush.deed()) {
      case DROP -> {
        scheduleRun.scheduleLedger().count(CoveredEvent.DROP);
        scheduleRun.scheduledRelays().die(scheduledRelay.name(), "dropped " + ambush.where());
      }
      case FAIL, CONTEND -> fail(scheduledRelay, ambush);
      case PAUSE -> pause(scheduledRelay, ambush);
      case GO_BACK -> goBack();
    }
  }

  /**
   * A failed call excuses nothing but what is in the transaction of a claim by rows, and what finds
   * its rows locked when there is no other time to write it.
   */
  private void fail(ScheduledRelay scheduledRelay, Ambush ambush) {
    if (ambush.point() == CrashPoint.PUBLISH || ambush.point() == CrashPoint.ANSWER) {
      return; // no call to the store
    }
    boolean contends = ambush.deed() == Ambush.Deed.CONTEND;
    boolean settles = ambush.point() == CrashPoint.SETTLE || ambush.point() == CrashPoint.MOVE;
    boolean isLast = settles && ambush.side() == Step.Side.BEFORE && scheduledRelay.isGivingUp();
    boolean excuses = ambush.point() == CrashPoint.END_CLAIM || (contends && isLast);
    String where = "fails " + ambush.where();
    scheduleRun
        .scheduleLedger()
        .of(excuses ? NoteKind.FAULT : NoteKind.NUISANCE, scheduledRelay.name(), where);
    if (contends) {
      scheduledRelay.refuse();
    }
    throw contends && ambush.side() == Step.Side.BEFORE
        ? StoreException.contended(where, null)
        : StoreException.passing(where, null);
  }

  private void goBack() {
    try {
      scheduleRun.goBack();
    } catch (Exception e) {
      throw new IllegalStateException("the store cannot go back", e);
    }
  }

  private void pause(ScheduledRelay scheduledRelay, Ambush ambush) {
    scheduleRun.scheduleLedger().count(CoveredEvent.PAUSE);
    scheduleRun
        .scheduleLedger()
        .of(NoteKind.NUISANCE, scheduledRelay.name(), "stands still " + ambush.where());
    scheduledRelay.stop();
    scheduleRun.standStill(scheduledRelay);
    if (scheduleRun.scheduledRelays().isDead(scheduledRelay)) {
      throw new Crash(scheduledRelay.name(), "killed while it stood still");
    }
    scheduleRun
        .scheduleLedger()
        .of(NoteKind.NUISANCE, scheduledRelay.name(), "goes on " + ambush.where());
  }
}
