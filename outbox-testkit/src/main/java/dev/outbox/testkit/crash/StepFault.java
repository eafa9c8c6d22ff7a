package dev.outbox.testkit.crash;

import dev.outbox.StoreException;
import dev.outbox.testkit.history.NoteKind;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One fault, on one side of one step.
 *
 * <p>Used by one thread at a time.
 */
public final class StepFault implements Steps.Interruption {
  private static final int KILLED = 137;

  private final CrashFault crashFault;
  private final Predicate<Step> where;
  private final Step.Side side;
  private final int remembered;
  private @Nullable CrashRun crashRun;
  private boolean struck;
  private @Nullable Throwable blow;

  /** {@code fault} on this side of the step with this number. */
  public StepFault(CrashFault crashFault, int number, Step.Side side) {
    this(crashFault, step -> step.number() == number, side, 0);
  }

  private StepFault(CrashFault crashFault, Predicate<Step> where, Step.Side side, int remembered) {
    this.crashFault = crashFault;
    this.where = where;
    this.side = side;
    this.remembered = remembered;
  }

  /** The store goes back on this side of a step, to how it stood before an earlier one. */
  static StepFault goingBack(Step to, Step from, Step.Side side) {
    return new StepFault(
        CrashFault.GO_BACK, step -> step.number() == from.number(), side, to.number());
  }

  /** {@code fault} on this side of the first step at this point. */
  public static StepFault atFirst(CrashFault crashFault, CrashPoint point, Step.Side side) {
    return new StepFault(crashFault, step -> step.point() == point, side, 0);
  }

  void on(CrashRun crashRun) {
    this.crashRun = crashRun;
  }

  /** True once it has happened. */
  public boolean hasStruck() {
    return struck;
  }

  /**
   * True when {@code failure} comes of this strike: when its blow, or the end of who died of it, is
   * found in it.
   */
  boolean hasCaused(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause == blow || (blow instanceof Crash && cause instanceof Crash)) {
        return true;
      }
      for (Throwable beside : cause.getSuppressed()) {
        if (hasCaused(beside)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public void at(Steps steps, Step step, Step.Side at) {
    if (step.number() == remembered && at == Step.Side.BEFORE) {
      remember();
    }
    if (struck || at != side || !where.test(step)) {
      return;
    }
    struck = true;
    String when = side.name().toLowerCase(Locale.ROOT) + " " + step;
    switch (crashFault) {
      case FAIL -> {
        steps.notes().write(excuse(step), step.who(), step.subject(), null, "fails " + when);
        StoreException failed = StoreException.passing("fails " + when, null);
        blow = failed;
        throw failed;
      }
      case DROP -> {
        steps.notes().of(NoteKind.FAULT, step.who(), "dropped " + when);
        steps.kill(step.who());
        Crash dropped = new Crash(step.who(), "dropped " + when);
        blow = dropped;
        throw dropped;
      }
      case HALT -> Runtime.getRuntime().halt(KILLED);
      case PAUSE -> pause(step);
      case GO_BACK -> goBack(step);
    }
  }

  /**
   * A relay by lanes settles again what may not have been written, so a failed call excuses no
   * repeat. A lost confirm excuses that of its message, and a failed claim by rows those of all in
   * it; what failed after it had taken effect excuses none.
   */
  private NoteKind excuse(Step step) {
    boolean excuses =
        side == Step.Side.BEFORE
            && (step.point() == CrashPoint.ANSWER || step.point() == CrashPoint.END_CLAIM);
    return excuses ? NoteKind.FAULT : NoteKind.NUISANCE;
  }

  private void remember() {
    try {
      crashRun().remember();
    } catch (Exception e) {
      throw new IllegalStateException("the store cannot be remembered", e);
    }
  }

  private void goBack(Step step) {
    try {
      crashRun().goBack(step.who());
    } catch (Exception e) {
      throw new IllegalStateException("the store cannot go back", e);
    }
  }

  private CrashRun crashRun() {
    if (crashRun == null) {
      throw new IllegalStateException(crashFault + " needs a stage on which others go on");
    }
    return crashRun;
  }

  private void pause(Step step) {
    try {
      crashRun().standStill(step.who());
    } catch (Exception e) {
      throw new IllegalStateException("while others went on", e);
    }
  }
}
