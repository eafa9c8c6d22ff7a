package dev.outbox.store;

import org.jspecify.annotations.Nullable;

/**
 * What is set for a topic at run time.
 *
 * <p>Immutable. {@code perSecond} is the most messages that one relay publishes in a second, {@code
 * inFlight} the most that one relay has in flight at a time; null is no limit.
 */
public record TopicSetting(
    boolean paused, boolean strict, @Nullable Integer perSecond, @Nullable Integer inFlight) {
  /** Nothing is set. */
  public static final TopicSetting NONE = new TopicSetting(false, false, null, null);

  /**
   * @throws IllegalArgumentException when a limit is below 1
   */
  public TopicSetting {
    requireAtLeastOne("perSecond", perSecond);
    requireAtLeastOne("inFlight", inFlight);
  }

  public TopicSetting withPaused(boolean paused) {
    return new TopicSetting(paused, strict, perSecond, inFlight);
  }

  public TopicSetting withStrict(boolean strict) {
    return new TopicSetting(paused, strict, perSecond, inFlight);
  }

  public TopicSetting withPerSecond(@Nullable Integer perSecond) {
    return new TopicSetting(paused, strict, perSecond, inFlight);
  }

  public TopicSetting withInFlight(@Nullable Integer inFlight) {
    return new TopicSetting(paused, strict, perSecond, inFlight);
  }

  private static void requireAtLeastOne(String name, @Nullable Integer limit) {
    if (limit != null && limit < 1) {
      throw new IllegalArgumentException(
          name + " is " + limit + ", the least is 1; pause the topic to stop it");
    }
  }
}
