package dev.outbox.testkit.internal.store;

import dev.outbox.message.MessageId;
import dev.outbox.spi.DedupeKey;
import dev.outbox.spi.DedupeStore;
import dev.outbox.testkit.internal.tables.InMemoryConnection;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.InMemoryTransaction;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/** The keys of messages that are enqueued once, in memory. Safe for use by many threads. */
public final class InMemoryDedupe implements DedupeStore {
  private final InMemoryTables inMemoryTables;

  public InMemoryDedupe(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
  }

  @Override
  public Map<DedupeKey, MessageId> take(
      Connection connection, SortedMap<DedupeKey, MessageId> ids, Duration keep) {
    InMemoryTransaction transaction = InMemoryConnection.transactionOf(connection, inMemoryTables);
    Map<DedupeKey, MessageId> taken = new HashMap<>();
    ids.forEach(
        (key, id) ->
            taken.put(
                key,
                inMemoryTables.dedupe.take(
                    transaction, key, id, keep, expires -> expires.isAfter(inMemoryTables.now()))));
    return taken;
  }

  @Override
  public int purge(int atMost) {
    return inMemoryTables.dedupe.purge(atMost);
  }
}
