package dev.outbox.testkit.schedule;

import dev.outbox.testkit.history.Violation;
import dev.outbox.testkit.internal.schedule.Decision;
import dev.outbox.testkit.internal.schedule.MessageTrait;
import dev.outbox.testkit.internal.schedule.Plan;
import dev.outbox.testkit.internal.schedule.RelayDecision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leaves out of a failing schedule what it does not need, as long as it fails with the same kind of
 * violation.
 *
 * <p>Used by one thread.
 */
final class Shrinking {
  private static final int MOST_RUNS = 3000;

  private final Schedule schedule;
  private int runs;

  Shrinking(Schedule schedule) {
    this.schedule = schedule;
  }

  ScheduleOutcome shrink(ScheduleOutcome failing) {
    Violation.Kind kind = failing.kind().orElseThrow();
    ScheduleOutcome best = plainer(failing, kind);
    int before;
    do {
      before = best.length();
      for (int part = Math.max(1, best.length() / 2); part >= 1; part /= 2) {
        best = without(best, kind, part);
      }
      best = plainer(best, kind);
    } while (best.length() < before && runs < MOST_RUNS);
    return best;
  }

  /** Tries to leave out each run of that many decisions, from the end. */
  private ScheduleOutcome without(ScheduleOutcome failing, Violation.Kind kind, int part) {
    ScheduleOutcome best = failing;
    for (int start = best.length() - part; start > -part && runs < MOST_RUNS; start -= part) {
      List<Decision> fewer = new ArrayList<>(best.plan().decisions());
      int from = Math.max(0, start);
      fewer.subList(from, Math.min(fewer.size(), start + part)).clear();
      best = ifItFails(best, kind, best.plan().with(fewer));
    }
    return best;
  }

  /** Tries a simpler setting, and simpler decisions in place of those that there are. */
  private ScheduleOutcome plainer(ScheduleOutcome failing, Violation.Kind kind) {
    Plan plan = failing.plan();
    ScheduleOutcome best = failing;
    best =
        ifItFails(best, kind, new Plan(1, plan.batch(), plan.answeringLater(), plan.decisions()));
    plan = best.plan();
    best =
        ifItFails(best, kind, new Plan(plan.lanes(), 500, plan.answeringLater(), plan.decisions()));
    plan = best.plan();
    best = ifItFails(best, kind, new Plan(plan.lanes(), plan.batch(), 0, plan.decisions()));
    for (int place = 0; place < best.length() && runs < MOST_RUNS; place++) {
      Decision plainer = plainer(best.plan().decisions().get(place));
      if (plainer != null) {
        List<Decision> others = new ArrayList<>(best.plan().decisions());
        others.set(place, plainer);
        best = ifItFails(best, kind, best.plan().with(others));
      }
    }
    return best;
  }

  private static @Nullable Decision plainer(Decision decision) {
    if (decision instanceof Decision.Write write && write.messageTrait() != MessageTrait.PLAIN) {
      return new Decision.Write(
          write.writer(), write.number(), write.topic(), write.key(), MessageTrait.PLAIN);
    }
    return decision instanceof RelayDecision.Turn turn
        ? new RelayDecision.Drain(turn.relay())
        : null;
  }

  private ScheduleOutcome ifItFails(ScheduleOutcome best, Violation.Kind kind, Plan plan) {
    if (plan.equals(best.plan())) {
      return best;
    }
    runs++;
    ScheduleOutcome scheduleOutcome = schedule.run(plan);
    return scheduleOutcome.kind().filter(other -> other == kind).isPresent()
        ? scheduleOutcome
        : best;
  }
}
