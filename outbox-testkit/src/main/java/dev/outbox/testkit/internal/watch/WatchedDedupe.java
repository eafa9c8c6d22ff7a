package dev.outbox.testkit.internal.watch;

import dev.outbox.message.MessageId;
import dev.outbox.spi.DedupeKey;
import dev.outbox.spi.DedupeStore;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Steps;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;

/** Keys whose taking is a step. */
record WatchedDedupe(String who, DedupeStore store, Steps steps) implements DedupeStore {
  @Override
  public Map<DedupeKey, MessageId> take(
      Connection transaction, SortedMap<DedupeKey, MessageId> ids, Duration keep) {
    return steps.<Map<DedupeKey, MessageId>, RuntimeException>take(
        who, CrashPoint.INSERT, ids.size() + " keys", () -> store.take(transaction, ids, keep));
  }

  @Override
  public int purge(int atMost) {
    return store.purge(atMost);
  }
}
