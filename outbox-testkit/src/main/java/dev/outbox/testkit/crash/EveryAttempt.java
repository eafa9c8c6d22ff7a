package dev.outbox.testkit.crash;

import dev.outbox.testkit.history.History;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Attempts an {@link Undertaking} once, counts its steps, and attempts it again for every step with
 * a fault before it and with one after it; who is struck is replaced until all is acknowledged. A
 * failure of anything else, or without a fault, is a finding. For consumers and writers that
 * promise an effect exactly once: {@link EveryStep} is for relays.
 *
 * <pre>{@code
 * EveryAttempt.of(MyConsumer::new).with(CrashFault.DROP).run().assertPassed();
 * }</pre>
 *
 * <p>Used by one thread.
 */
public final class EveryAttempt {
  private static final int MOST_ATTEMPTS = 10;

  private final Undertaking.Opening opening;
  private CrashFault crashFault = CrashFault.DROP;

  private EveryAttempt(Undertaking.Opening opening) {
    this.opening = opening;
  }

  /** Of undertakings that {@code opening} opens, one for each run. */
  public static EveryAttempt of(Undertaking.Opening opening) {
    return new EveryAttempt(opening);
  }

  /**
   * What happens at each step. Default: {@link CrashFault#DROP}.
   *
   * @throws IllegalArgumentException for other faults than DROP and FAIL, which need a relay or
   *     leave nothing to judge
   */
  public EveryAttempt with(CrashFault crashFault) {
    if (crashFault != CrashFault.DROP && crashFault != CrashFault.FAIL) {
      throw new IllegalArgumentException("fault is " + crashFault + ", it must be DROP or FAIL");
    }
    this.crashFault = crashFault;
    return this;
  }

  /** Attempts it once without a fault, and then once for each side of a step. */
  public CrashReport run() throws Exception {
    List<Blow> blows = new ArrayList<>();
    Run reference =
        attempt((steps, step, side) -> blows.add(new Blow(step, side)), failure -> false);
    if (!reference.wrongs().isEmpty()) {
      return new CrashReport(
          crashFault, reference.steps(), 1, 0, List.of("without a fault: " + reference.wrongs()));
    }
    List<String> failures = new ArrayList<>();
    int unreached = 0;
    for (Blow blow : blows) {
      StepFault stepFault = new StepFault(crashFault, blow.step().number(), blow.side());
      Run run = attempt(stepFault, stepFault::hasCaused);
      unreached += stepFault.hasStruck() ? 0 : 1;
      if (!run.wrongs().isEmpty()) {
        failures.add("%s %s %s: %s".formatted(crashFault, blow.side(), blow.step(), run.wrongs()));
      }
    }
    return new CrashReport(crashFault, reference.steps(), blows.size(), unreached, failures);
  }

  /** A side of a step that the reference run came by: what fails by itself has no after. */
  private record Blow(Step step, Step.Side side) {}

  private record Run(List<Step> steps, List<String> wrongs) {}

  private Run attempt(Steps.Interruption interruption, Predicate<Throwable> isOurs)
      throws Exception {
    AtomicLong count = new AtomicLong();
    Steps steps = new Steps(interruption, History.withClock(count::incrementAndGet));
    try (Undertaking undertaking = opening.open()) {
      for (int number = 1; number <= MOST_ATTEMPTS; number++) {
        Throwable failure = failure(undertaking, "worker-" + number, steps);
        if (failure == null) {
          return new Run(steps.taken(), undertaking.wrongs());
        }
        if (!isOurs.test(failure)) {
          return new Run(steps.taken(), List.of("failed by itself: " + told(failure)));
        }
      }
      return new Run(
          steps.taken(), List.of("not acknowledged in %d attempts".formatted(MOST_ATTEMPTS)));
    }
  }

  /** What an attempt failed with; null when all is acknowledged. */
  private static @Nullable Throwable failure(Undertaking undertaking, String who, Steps steps) {
    try {
      undertaking.attempt(who, steps);
      return null;
    } catch (Crash | Exception failure) {
      return failure;
    }
  }

  static String told(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
