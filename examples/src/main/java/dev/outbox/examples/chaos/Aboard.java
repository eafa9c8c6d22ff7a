package dev.outbox.examples.chaos;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.Tenure;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Under which tenure a relay has read the messages that it works on.
 *
 * <p>Safe for use by many threads.
 */
final class Aboard {
  private final Map<MessageId, Tenure> tenures = new ConcurrentHashMap<>();

  void read(MessageId id, Tenure tenure) {
    tenures.put(id, tenure);
  }

  void settled(MessageId id) {
    tenures.remove(id);
  }

  @Nullable Tenure of(MessageId id) {
    return tenures.get(id);
  }
}
