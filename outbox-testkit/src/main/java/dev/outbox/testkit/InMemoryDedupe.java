package dev.outbox.testkit;

import dev.outbox.message.MessageId;
import dev.outbox.store.DedupeKey;
import dev.outbox.store.DedupeStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/** The keys of messages that are enqueued once, in memory. Safe for use by many threads. */
final class InMemoryDedupe implements DedupeStore {
  private final Tables tables;

  InMemoryDedupe(Tables tables) {
    this.tables = tables;
  }

  @Override
  public Map<DedupeKey, MessageId> take(
      Connection connection, SortedMap<DedupeKey, MessageId> ids, Duration keep) {
    InMemoryTransaction transaction = InMemoryConnection.transactionOf(connection, tables);
    Map<DedupeKey, MessageId> taken = new HashMap<>();
    ids.forEach(
        (key, id) ->
            taken.put(
                key,
                tables.dedupe.take(
                    transaction, key, id, keep, expires -> expires.isAfter(tables.now()))));
    return taken;
  }

  @Override
  public int purge(int atMost) {
    return tables.dedupe.purge(atMost);
  }
}
