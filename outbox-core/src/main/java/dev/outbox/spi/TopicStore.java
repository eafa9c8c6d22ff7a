package dev.outbox.spi;

import dev.outbox.Topics.Setting;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What is set per topic at run time, seen by all relays.
 *
 * <p>Safe for use by many threads. Every method is a short transaction of its own.
 */
public interface TopicStore {
  /** The topics for which something is set. */
  Map<String, Setting> all();

  /**
   * The topics of the messages that wait or are dead, of at most {@code bound} messages of each
   * table. A store that cannot tell returns none.
   */
  default Set<String> present(int bound) {
    return Set.of();
  }

  /**
   * Changes one topic's setting under a lock, so that two operators do not undo each other. A
   * setting that ends as {@link Setting#NONE} is forgotten. Returns what is set now.
   */
  Setting change(String topic, UnaryOperator<Setting> change);
}
