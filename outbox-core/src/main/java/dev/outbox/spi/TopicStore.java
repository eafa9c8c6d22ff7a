package dev.outbox.spi;

import dev.outbox.Topics.Setting;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What is set per topic at run time, seen by all relays.
 *
 * <p>Safe for use by many threads. Every method is one short transaction.
 */
public interface TopicStore {
  /** The topics for which something is set. */
  Map<String, Setting> all();

  /**
   * Changes one topic's setting under a lock, so that two operators do not undo each other. A
   * setting that ends as {@link Setting#NONE} is forgotten. Returns what is set now.
   */
  Setting change(String topic, UnaryOperator<Setting> change);
}
