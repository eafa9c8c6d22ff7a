package dev.outbox.testkit.schedule;

import dev.outbox.testkit.crash.TestWorld;
import dev.outbox.testkit.history.Verdict;
import dev.outbox.testkit.history.Violation;
import dev.outbox.testkit.internal.schedule.Plan;
import dev.outbox.testkit.internal.schedule.ScheduleRun;
import dev.outbox.testkit.internal.schedule.compose.Composer;
import java.util.List;

/**
 * One schedule: who does what in which order, and what goes wrong, all from one seed.
 *
 * <pre>{@code
 * Outcome outcome = Schedule.of(4711).run();
 * assertThat(outcome.passes()).as(outcome::toString).isTrue();
 * }</pre>
 *
 * <p>Immutable. The same seed with the same settings gives exactly the same notes.
 */
public final class Schedule {
  private final long seed;
  private final Settings settings;

  private Schedule(long seed, Settings settings) {
    this.seed = seed;
    this.settings = settings;
  }

  /** The schedule of this seed, by lanes in memory. */
  public static Schedule of(long seed) {
    return new Schedule(seed, Settings.lanes());
  }

  /** The same seed with other settings. */
  public Schedule with(Settings settings) {
    return new Schedule(seed, settings);
  }

  /** Plays it. */
  public ScheduleOutcome run() {
    return run(new Composer(seed, settings).plan());
  }

  /**
   * Plays it and, if it fails, plays shorter and shorter ones that fail in the same way. Returns
   * the shortest.
   */
  public ScheduleOutcome runAndShrink() {
    ScheduleOutcome scheduleOutcome = run();
    return scheduleOutcome.passes() ? scheduleOutcome : new Shrinking(this).shrink(scheduleOutcome);
  }

  ScheduleOutcome run(Plan plan) {
    try (TestWorld testWorld = settings.opening().apply(plan.lanes()).open()) {
      ScheduleRun scheduleRun = new ScheduleRun(plan, settings, testWorld, seed);
      Verdict verdict = play(scheduleRun);
      Story story =
          new Story(
              plan,
              scheduleRun.takenDecisions(),
              scheduleRun.history(),
              scheduleRun.broker().numbers());
      return new ScheduleOutcome(
          seed, plan, verdict, scheduleRun.scheduleLedger().coverage(), story);
    } catch (Exception e) {
      throw new IllegalStateException("no world for seed " + seed, e);
    }
  }

  private static Verdict play(ScheduleRun scheduleRun) {
    try {
      return scheduleRun.play();
    } catch (Exception | AssertionError | StackOverflowError thrown) {
      Violation violation = new Violation(Violation.Kind.THREW, words(thrown), List.of());
      return new Verdict(0, 0, 0, List.of(violation));
    }
  }

  private static String words(Throwable thrown) {
    StringBuilder words = new StringBuilder().append(thrown);
    StackTraceElement[] trace = thrown.getStackTrace();
    for (int depth = 0; depth < Math.min(6, trace.length); depth++) {
      words.append("\n      at ").append(trace[depth]);
    }
    return thrown.getCause() == null
        ? words.toString()
        : words.append("\n    because of ").append(words(thrown.getCause())).toString();
  }
}
