package dev.outbox.testkit.internal.store;

import dev.outbox.OutboxException.Finding;
import dev.outbox.Snapshot;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.DedupeStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.MessageStore;
import dev.outbox.spi.ReceiptStore;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.TopicStore;
import dev.outbox.spi.Usage;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.testkit.internal.tables.InMemoryClusters;
import dev.outbox.testkit.internal.tables.InMemoryReceipts;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;

/** What an in-memory store gives to relays, workers, operators and consumers, over its tables. */
public record InMemoryPorts(InMemoryTables inMemoryTables) {
  public void append(Connection transaction, List<NewEnvelope> messages) {
    new InMemoryAppend(inMemoryTables).append(transaction, messages);
  }

  public LaneStore lanes(String owner, Duration lease) {
    return new InMemoryLanes(inMemoryTables, owner, lease);
  }

  public RowStore rows() {
    return new InMemoryRows(inMemoryTables);
  }

  public DedupeStore dedupe() {
    return new InMemoryDedupe(inMemoryTables);
  }

  public ReceiptStore receipts() {
    return new InMemoryReceipts(inMemoryTables);
  }

  public RelayRegistry registry() {
    return new InMemoryRelays(inMemoryTables);
  }

  public DeadStore deadLetters() {
    return new InMemoryDead(inMemoryTables);
  }

  public TopicStore topics() {
    return new InMemoryTopics(inMemoryTables);
  }

  public MessageStore messages() {
    return new InMemoryMessages(inMemoryTables);
  }

  public ClusterStore clusters() {
    return new InMemoryClusters(inMemoryTables);
  }

  public Snapshot snapshot(long bound) {
    synchronized (inMemoryTables) {
      return new InMemorySnapshot(inMemoryTables).take(bound);
    }
  }

  /** Why a relay cannot work with these tables. */
  public List<Finding> examine(Usage usage) {
    if (usage.role() != Usage.Role.RELAY || usage.claiming() == inMemoryTables.layout.claiming()) {
      return List.of();
    }
    String text =
        "the tables are laid out for claims by %s, the relay claims by %s; start a relay of the other way"
            .formatted(inMemoryTables.layout.claiming(), usage.claiming());
    return List.of(new Finding(Finding.Severity.FAILURE, "CLAIMING", text));
  }
}
