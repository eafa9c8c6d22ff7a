package dev.outbox.testkit.crash;

import dev.outbox.testkit.history.Subject;
import org.jspecify.annotations.Nullable;

/**
 * One step of a run: the {@code number}-th of all, taken by {@code who}. The subject is set where
 * the step is of one message.
 *
 * <p>Immutable.
 */
public record Step(
    int number, String who, CrashPoint point, String detail, @Nullable Subject subject) {
  /** Which side of a step. */
  public enum Side {
    /** Nothing of it has happened. */
    BEFORE,
    /** It has happened, and who took it does not know. */
    AFTER
  }

  @Override
  public String toString() {
    String more = detail.isEmpty() ? "" : ": " + detail;
    return "step %d, %s %s%s%s"
        .formatted(number, who, point, more, subject == null ? "" : " " + subject);
  }
}
