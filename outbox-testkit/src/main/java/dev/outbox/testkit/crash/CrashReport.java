package dev.outbox.testkit.crash;

import java.util.List;

/**
 * What came of faults at every step.
 *
 * <p>Immutable. {@code unreached} counts runs that ended without coming to their step; a failure is
 * the step and its verdict with timelines.
 */
public record CrashReport(
    CrashFault crashFault, List<Step> steps, int runs, int unreached, List<String> failures) {
  private static final int SHOWN = 5;
  private static final int RUNS_OF_A_STEP = 2; // before and after it

  public CrashReport {
    steps = List.copyOf(steps);
    failures = List.copyOf(failures);
  }

  /**
   * Passes when there were runs, every one kept the promises, and most came to their step.
   *
   * @throws AssertionError with the first failures, as timelines
   */
  public CrashReport assertPassed() {
    int mayMiss = Math.max(RUNS_OF_A_STEP, runs / 10);
    if (!failures.isEmpty() || unreached >= runs || unreached > mayMiss) {
      throw new AssertionError(toString());
    }
    return this;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        "%s before and after each of %d steps: %d runs, %d did not reach theirs, %d failed"
            .formatted(crashFault, steps.size(), runs, unreached, failures.size()));
    failures.stream().limit(SHOWN).forEach(failure -> text.append("\n\n").append(failure));
    return text.toString();
  }
}
