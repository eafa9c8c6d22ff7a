package dev.outbox.micrometer;

import io.micrometer.core.instrument.Tag;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The topics that are named in metrics: the first so many that are met. The others share one name,
 * so that topics made of data cannot fill the memory of who collects.
 *
 * <p>Safe for use by many threads.
 */
final class TopicTags {
  static final String KEY = "topic";
  static final String OTHERS = "(others)";

  private final int most;
  private final Set<String> named = ConcurrentHashMap.newKeySet();

  TopicTags(int most) {
    this.most = most;
  }

  /** The topic's own name, or that of all others. */
  String of(String topic) {
    if (named.contains(topic)) {
      return topic;
    }
    synchronized (named) {
      if (named.size() < most) {
        named.add(topic);
      }
      return named.contains(topic) ? topic : OTHERS;
    }
  }

  static Tag tag(String name) {
    return Tag.of(KEY, name);
  }
}
