package dev.outbox.testkit.crash;

/**
 * One step of a run: the {@code number}-th of all, taken by {@code who}.
 *
 * <p>Immutable.
 */
public record Step(int number, String who, CrashPoint point, String detail) {
  /** Which side of a step. */
  public enum Side {
    /** Nothing of it has happened. */
    BEFORE,
    /** It has happened, and who took it does not know. */
    AFTER
  }

  @Override
  public String toString() {
    return "step %d, %s %s%s".formatted(number, who, point, detail.isEmpty() ? "" : ": " + detail);
  }
}
