package dev.outbox.examples.chaos;

import dev.outbox.store.ClusterStore;
import dev.outbox.store.DeadStore;
import dev.outbox.store.DedupeStore;
import dev.outbox.store.Finding;
import dev.outbox.store.LaneStore;
import dev.outbox.store.Layout;
import dev.outbox.store.NewEnvelope;
import dev.outbox.store.OutboxStore;
import dev.outbox.store.Purged;
import dev.outbox.store.RelayRegistry;
import dev.outbox.store.RowStore;
import dev.outbox.store.Snapshot;
import dev.outbox.store.TopicStore;
import dev.outbox.store.Usage;
import dev.outbox.store.Wakeup;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/** A store whose claims by lanes are wrapped; all else is the wrapped store's. */
record NotingStore(OutboxStore store, UnaryOperator<LaneStore> wrapping) implements OutboxStore {
  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return wrapping.apply(store.lanes(owner, lease));
  }

  @Override
  public Layout layout() {
    return store.layout();
  }

  @Override
  public void append(Connection transaction, List<NewEnvelope> messages) {
    store.append(transaction, messages);
  }

  @Override
  public DedupeStore dedupe() {
    return store.dedupe();
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    return store.rows(longestClaim);
  }

  @Override
  public RelayRegistry registry() {
    return store.registry();
  }

  @Override
  public DeadStore deadLetters() {
    return store.deadLetters();
  }

  @Override
  public TopicStore topics() {
    return store.topics();
  }

  @Override
  public Snapshot snapshot(long bound) {
    return store.snapshot(bound);
  }

  @Override
  public boolean archives() {
    return store.archives();
  }

  @Override
  public Purged purgeArchive(Duration retention, Instant from, int atMost) {
    return store.purgeArchive(retention, from, atMost);
  }

  @Override
  public ClusterStore clusters() {
    return store.clusters();
  }

  @Override
  public Wakeup wakeup() {
    return store.wakeup();
  }

  @Override
  public List<Finding> examine(Usage usage) {
    return store.examine(usage);
  }
}
