package dev.outbox.testkit;

import dev.outbox.store.TopicSetting;
import dev.outbox.store.TopicStore;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What is set per topic in an in-memory store. */
final class InMemoryTopics implements TopicStore {
  private final Tables tables;

  InMemoryTopics(Tables tables) {
    this.tables = tables;
  }

  @Override
  public Map<String, TopicSetting> all() {
    synchronized (tables) {
      return Map.copyOf(tables.topics);
    }
  }

  @Override
  public TopicSetting change(String topic, UnaryOperator<TopicSetting> change) {
    synchronized (tables) {
      TopicSetting changed = change.apply(tables.topics.getOrDefault(topic, TopicSetting.NONE));
      if (changed.equals(TopicSetting.NONE)) {
        tables.topics.remove(topic);
      } else {
        tables.topics.put(topic, changed);
      }
      return changed;
    }
  }
}
