package dev.outbox.testkit.internal.tables;

import dev.outbox.message.MessageId;
import dev.outbox.spi.ReceiptStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The receipts of consumers in memory. Safe for use by many threads. */
public final class InMemoryReceipts implements ReceiptStore {
  private final InMemoryTables inMemoryTables;

  public InMemoryReceipts(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
  }

  /** Of a receipt, what a consumer has had. */
  record Receipt(String consumer, MessageId id) {}

  @Override
  public Set<MessageId> receive(
      Connection connection, String consumer, List<MessageId> ids, Duration keep) {
    InMemoryTransaction transaction = InMemoryConnection.transactionOf(connection, inMemoryTables);
    Set<MessageId> fresh = new TreeSet<>();
    for (MessageId id : new TreeSet<>(ids)) {
      Object mine = new Object();
      Receipt receipt = new Receipt(consumer, id);
      if (inMemoryTables.receipts.take(transaction, receipt, mine, keep, expires -> true) == mine) {
        fresh.add(id);
      }
    }
    return fresh;
  }

  @Override
  public int purge(int atMost) {
    return inMemoryTables.receipts.purge(atMost);
  }
}
