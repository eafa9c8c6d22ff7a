package dev.outbox.testkit.internal.watch;

import dev.outbox.OutboxException.Finding;
import dev.outbox.Snapshot;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.DedupeStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Purged;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.TopicStore;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.testkit.crash.CrashPoint;
import dev.outbox.testkit.crash.Steps;
import dev.outbox.testkit.history.NoteKind;
import dev.outbox.testkit.history.Notebook;
import dev.outbox.testkit.history.Subject;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A store each of whose working calls is a step and is noted. Safe for use by many threads. */
public final class WatchedStore implements OutboxStore {
  private final String who;
  private final OutboxStore store;
  private final Steps steps;
  private final Notebook notes;

  public WatchedStore(String who, OutboxStore store, Steps steps, Notebook notes) {
    this.who = who;
    this.store = store;
    this.steps = steps;
    this.notes = notes;
  }

  @Override
  public Layout layout() {
    return store.layout();
  }

  @Override
  public void append(Connection transaction, List<NewEnvelope> messages) {
    String detail = messages.size() + " messages";
    steps.run(
        who,
        CrashPoint.INSERT,
        detail,
        () -> {
          store.append(transaction, messages);
          messages.forEach(this::enqueued);
        });
  }

  /** A delayed message takes its place in its key when it falls due, whatever was written later. */
  private void enqueued(NewEnvelope newEnvelope) {
    Subject subject = Subject.of(newEnvelope.envelope());
    notes.of(NoteKind.ENQUEUED, who, newEnvelope.due() == null ? subject : subject.unordered(), "");
  }

  @Override
  public DedupeStore dedupe() {
    return new WatchedDedupe(who, store.dedupe(), steps);
  }

  @Override
  public Instant now() {
    return store.now();
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return new WatchedLanes(who, store.lanes(owner, lease), steps, notes);
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    return new WatchedRows(who, store.rows(longestClaim), steps, notes);
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
