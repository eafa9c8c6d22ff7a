package dev.outbox.testkit;

import dev.outbox.store.TopicSetting;
import dev.outbox.store.TopicStore;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What is set per topic in an in-memory store. */
final class InMemoryTopics implements TopicStore {
  private final InMemoryTables inMemoryTables;

  InMemoryTopics(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
  }

  @Override
  public Map<String, TopicSetting> all() {
    synchronized (inMemoryTables) {
      return Map.copyOf(inMemoryTables.topics);
    }
  }

  @Override
  public TopicSetting change(String topic, UnaryOperator<TopicSetting> change) {
    synchronized (inMemoryTables) {
      TopicSetting changed =
          change.apply(inMemoryTables.topics.getOrDefault(topic, TopicSetting.NONE));
      if (changed.equals(TopicSetting.NONE)) {
        inMemoryTables.topics.remove(topic);
      } else {
        inMemoryTables.topics.put(topic, changed);
      }
      return changed;
    }
  }
}
