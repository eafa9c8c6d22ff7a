package dev.outbox.testkit.history;

/**
 * Under which right a relay acted: a lane, its epoch, and when it asked the store to.
 *
 * <p>Immutable. {@code asked} is by the history's clock, see {@link Note#at}.
 */
public record Tenure(int lane, long epoch, long asked) {
  @Override
  public String toString() {
    return "lane " + lane + " epoch " + epoch;
  }
}
