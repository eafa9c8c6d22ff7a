package dev.outbox;

import org.jspecify.annotations.Nullable;

/**
 * How dead letters are replayed: at what pace, or not at all but counted.
 *
 * <p>Immutable. {@code perSecond} is null for as fast as the database goes.
 */
public record ReplayPlan(@Nullable Integer perSecond, boolean isDryRun) {
  /**
   * @throws IllegalArgumentException when the pace is below 1
   */
  public ReplayPlan {
    if (perSecond != null && perSecond < 1) {
      throw new IllegalArgumentException("perSecond is " + perSecond + ", the least is 1");
    }
  }

  /** As fast as the database goes. */
  public static ReplayPlan atOnce() {
    return new ReplayPlan(null, false);
  }

  /**
   * So many messages in a second, so that those who consume them are not run over.
   *
   * @throws IllegalArgumentException when the pace is below 1
   */
  public static ReplayPlan paced(int perSecond) {
    return new ReplayPlan(perSecond, false);
  }

  /** Counts what would be replayed and changes nothing. */
  public static ReplayPlan dryRun() {
    return new ReplayPlan(null, true);
  }
}
