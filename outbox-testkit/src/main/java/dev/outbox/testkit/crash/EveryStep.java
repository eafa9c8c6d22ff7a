package dev.outbox.testkit.crash;

import dev.outbox.testkit.history.History;
import dev.outbox.testkit.history.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Plays a scenario once, counts its steps, and plays it again for every step with a fault before it
 * and with one after it. What is dropped is replaced, and each run's history is judged. Without a
 * fault no writer and no relay may fail, and what is written to be committed must be; with one, no
 * writer may fail of anything else.
 *
 * <pre>{@code
 * EveryStep.of(MyWorld::new, CrashScenario.standard(true))
 *     .with(CrashFault.DROP)
 *     .run()
 *     .assertPassed();
 * }</pre>
 *
 * <p>Used by one thread.
 */
public final class EveryStep {
  private final TestWorld.Opening opening;
  private final CrashScenario crashScenario;
  private CrashFault crashFault = CrashFault.DROP;
  private Predicate<Step> which = step -> true;
  private int transactions = 1;

  private EveryStep(TestWorld.Opening opening, CrashScenario crashScenario) {
    this.opening = opening;
    this.crashScenario = crashScenario;
  }

  /** Of a scenario, each time in its own world. */
  public static EveryStep of(TestWorld.Opening opening, CrashScenario crashScenario) {
    return new EveryStep(opening, crashScenario);
  }

  /**
   * What happens at each step. Default: {@link CrashFault#DROP}.
   *
   * @throws IllegalArgumentException for {@link CrashFault#HALT}, after which nothing could be
   *     judged
   */
  public EveryStep with(CrashFault crashFault) {
    if (crashFault == CrashFault.HALT) {
      throw new IllegalArgumentException(
          "fault HALT would end this JVM; use DROP, or a StepFault in another JVM");
    }
    this.crashFault = crashFault;
    return this;
  }

  /**
   * How many transactions are undone by {@link CrashFault#GO_BACK}. Default: 1.
   *
   * @throws IllegalArgumentException when it is less than 1
   */
  public EveryStep undoing(int transactions) {
    if (transactions < 1) {
      throw new IllegalArgumentException(
          "undoing %d transactions, it must be 1 or more".formatted(transactions));
    }
    this.transactions = transactions;
    return this;
  }

  /** Only at these steps. Default: at all. */
  public EveryStep at(Predicate<Step> which) {
    this.which = which;
    return this;
  }

  /** Plays it once without a fault, and then once for each side of a step. */
  public CrashReport run() throws Exception {
    Run reference = play(null);
    if (!reference.flaws().isEmpty()) {
      return new CrashReport(crashFault, reference.steps(), 1, 0, reference.flaws());
    }
    List<String> failures = new ArrayList<>();
    int runs = 0;
    int unreached = 0;
    for (Blow blow : blows(reference.steps())) {
      runs++;
      StepFault stepFault = strike(blow, reference.steps());
      Run run = play(stepFault);
      unreached += stepFault.hasStruck() ? 0 : 1;
      if (!run.flaws().isEmpty()) {
        String flaws = String.join("\n", run.flaws());
        failures.add("%s %s %s: %s".formatted(crashFault, blow.side(), blow.step(), flaws));
      }
    }
    return new CrashReport(crashFault, reference.steps(), runs, unreached, failures);
  }

  private StepFault strike(Blow blow, List<Step> steps) {
    return crashFault == CrashFault.GO_BACK
        ? StepFault.goingBack(before(blow, steps), blow.step(), blow.side())
        : new StepFault(crashFault, blow.step().number(), blow.side());
  }

  /** The step before which the store is remembered. */
  private Step before(Blow blow, List<Step> steps) {
    int last = blow.step().number() - (blow.side() == Step.Side.BEFORE ? 1 : 0);
    List<Step> committed =
        steps.subList(0, last).stream().filter(step -> step.point().commits()).toList();
    return committed.isEmpty()
        ? steps.get(0)
        : committed.get(Math.max(0, committed.size() - transactions));
  }

  private record Blow(Step step, Step.Side side) {}

  /** Being gone after one step is being gone before the next one of the same: it is played once. */
  private List<Blow> blows(List<Step> steps) {
    List<Blow> blows = new ArrayList<>();
    Step last = null;
    for (Step step : steps) {
      if (which.test(step)) {
        boolean same = crashFault == CrashFault.DROP && last != null && isNext(step, last);
        last = step;
        Stream.of(Step.Side.values())
            .filter(side -> !same || side == Step.Side.AFTER)
            .forEach(side -> blows.add(new Blow(step, side)));
      }
    }
    return blows;
  }

  private static boolean isNext(Step step, Step last) {
    return step.who().equals(last.who()) && step.number() == last.number() + 1;
  }

  private record Run(List<Step> steps, List<String> flaws) {}

  private Run play(@Nullable StepFault stepFault) throws Exception {
    AtomicLong count = new AtomicLong();
    History history = History.withClock(count::incrementAndGet);
    try (TestWorld testWorld = opening.open()) {
      CrashRun crashRun =
          new CrashRun(testWorld, stepFault == null ? Steps.Interruption.NONE : stepFault, history);
      if (stepFault != null) {
        stepFault.on(crashRun);
      }
      crashScenario.on(crashRun);
      Verdict verdict = crashRun.end();
      List<String> flaws =
          stepFault == null ? flaws(crashRun, verdict) : flaws(crashRun, verdict, stepFault);
      return new Run(crashRun.steps().taken(), flaws);
    }
  }

  /** What is wrong in a run with a fault, beside what the fault has caused. */
  private static List<String> flaws(CrashRun crashRun, Verdict verdict, StepFault stepFault) {
    List<String> flaws = new ArrayList<>();
    crashRun.failures().ofWriters().stream()
        .filter(failure -> !stepFault.hasCaused(failure))
        .forEach(failure -> flaws.add("failed by itself: " + EveryAttempt.told(failure)));
    if (!verdict.passes()) {
      flaws.add(verdict.toString());
    }
    return flaws;
  }

  /** Why a run without a fault is no reference for those with one. */
  private static List<String> flaws(CrashRun crashRun, Verdict verdict) {
    List<String> flaws = new ArrayList<>();
    crashRun
        .failures()
        .first()
        .ifPresent(
            failure ->
                flaws.add("without a fault: failed by itself: " + EveryAttempt.told(failure)));
    if (crashRun.wroteToCommit() && verdict.committed() == 0) {
      flaws.add("without a fault: nothing was committed");
    }
    if (!verdict.passes()) {
      flaws.add("without a fault: " + verdict);
    }
    return flaws;
  }
}
