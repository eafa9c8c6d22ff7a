package dev.outbox.spring.boot.relay;

import dev.outbox.OutboxException.Finding;
import dev.outbox.Snapshot;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.DedupeStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.MessageStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Purged;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.TopicStore;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.settle.NewEnvelope;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A store that is being examined already when the relay asks. */
public final class ExaminedStore implements OutboxStore {
  private final OutboxStore store;
  private final EarlyExamination examination;

  private ExaminedStore(OutboxStore store, EarlyExamination examination) {
    this.store = store;
    this.examination = examination;
  }

  /** Begins to examine {@code store} for what the relay's start will ask about. */
  public static ExaminedStore begin(OutboxStore store, Usage usage) {
    return new ExaminedStore(store, EarlyExamination.begin(store, usage));
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
  public LaneStore lanes(String owner, Duration lease) {
    return store.lanes(owner, lease);
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
  public MessageStore messages() {
    return store.messages();
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
    return examination.findings(usage);
  }
}
