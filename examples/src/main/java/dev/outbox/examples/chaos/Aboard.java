package dev.outbox.examples.chaos;

import dev.outbox.message.MessageId;
import dev.outbox.testkit.history.LeaseRight;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Under which tenure a relay has read the messages that it works on.
 *
 * <p>Safe for use by many threads.
 */
final class Aboard {
  private final Map<MessageId, LeaseRight> leaseRights = new ConcurrentHashMap<>();

  void read(MessageId id, LeaseRight leaseRight) {
    leaseRights.put(id, leaseRight);
  }

  void settled(MessageId id) {
    leaseRights.remove(id);
  }

  @Nullable LeaseRight of(MessageId id) {
    return leaseRights.get(id);
  }
}
