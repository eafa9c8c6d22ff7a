package dev.outbox.testkit.internal.store;

import dev.outbox.Topics.Setting;
import dev.outbox.spi.TopicStore;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.util.Map;
import java.util.function.UnaryOperator;

/** What is set per topic in an in-memory store. */
public final class InMemoryTopics implements TopicStore {
  private final InMemoryTables inMemoryTables;

  public InMemoryTopics(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
  }

  @Override
  public Map<String, Setting> all() {
    synchronized (inMemoryTables) {
      return Map.copyOf(inMemoryTables.topics);
    }
  }

  @Override
  public Setting change(String topic, UnaryOperator<Setting> change) {
    synchronized (inMemoryTables) {
      Setting changed = change.apply(inMemoryTables.topics.getOrDefault(topic, Setting.NONE));
      if (changed.equals(Setting.NONE)) {
        inMemoryTables.topics.remove(topic);
      } else {
        inMemoryTables.topics.put(topic, changed);
      }
      return changed;
    }
  }
}
