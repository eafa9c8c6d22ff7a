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
  public Map<DedupeKey, MessageId> claim(
      Connection connection, SortedMap<DedupeKey, MessageId> ids, Duration keep) {
    InMemoryTransaction transaction = InMemoryConnection.transactionOf(connection, tables);
    Map<DedupeKey, MessageId> claimed = new HashMap<>();
    ids.forEach(
        (key, id) ->
            claimed.put(
                key,
                tables.dedupe.claim(
                    transaction, key, id, keep, expires -> expires.isAfter(tables.now()))));
    return claimed;
  }

  @Override
  public int purge(int atMost) {
    return tables.dedupe.purge(atMost);
  }
}
