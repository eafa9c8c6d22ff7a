package dev.outbox.store;

import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What is set per topic at run time, seen by all relays.
 *
 * <p>Safe for use by many threads. Every method is a short transaction of its own.
 */
public interface TopicStore {
  /** The topics for which something is set. */
  Map<String, TopicSetting> all();

  /**
   * Changes one topic's setting under a lock, so that two operators do not undo each other. A
   * setting that ends as {@link TopicSetting#NONE} is forgotten. Returns what is set now.
   */
  TopicSetting change(String topic, UnaryOperator<TopicSetting> change);
}
