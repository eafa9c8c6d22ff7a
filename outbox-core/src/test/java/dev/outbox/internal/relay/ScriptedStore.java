package dev.outbox.internal.relay;

import dev.outbox.store.Claiming;
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
import java.util.function.Supplier;

/** The door to sessions that a test has scripted; nobody enqueues or operates here. */
final class ScriptedStore implements OutboxStore {
  private final Layout layout;
  private final Supplier<LaneStore> lanes;
  private final Supplier<RowStore> rows;
  private final Supplier<RelayRegistry> registry;

  /** What the archive answers. */
  ArchivePurge.History purging = (retention, from, atMost) -> unasked();

  private final Wakeup wakeup = Wakeup.inProcess();

  private ScriptedStore(
      Layout layout,
      Supplier<LaneStore> lanes,
      Supplier<RowStore> rows,
      Supplier<RelayRegistry> registry) {
    this.layout = layout;
    this.lanes = lanes;
    this.rows = rows;
    this.registry = registry;
  }

  static ScriptedStore of(ScriptedLanes lanes) {
    return new ScriptedStore(
        new Layout(1, lanes.number(), Claiming.LANES),
        () -> lanes,
        ScriptedStore::unasked,
        () -> lanes);
  }

  static ScriptedStore ofRows(Supplier<RowStore> rows) {
    return new ScriptedStore(
        new Layout(1, 1, Claiming.ROWS), ScriptedStore::unasked, rows, ScriptedStore::unasked);
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return lanes.get();
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    return rows.get();
  }

  @Override
  public RelayRegistry registry() {
    return registry.get();
  }

  @Override
  public Wakeup wakeup() {
    return wakeup;
  }

  @Override
  public List<Finding> examine(Usage usage) {
    return List.of();
  }

  @Override
  public void append(Connection transaction, List<NewEnvelope> messages) {
    unasked();
  }

  @Override
  public DedupeStore dedupe() {
    return unasked();
  }

  @Override
  public Instant now() {
    return unasked();
  }

  @Override
  public DeadStore deadLetters() {
    return unasked();
  }

  @Override
  public ClusterStore clusters() {
    return unasked();
  }

  @Override
  public TopicStore topics() {
    return unasked();
  }

  @Override
  public Snapshot snapshot(long bound) {
    return unasked();
  }

  @Override
  public boolean archives() {
    return unasked();
  }

  @Override
  public Purged purgeArchive(Duration retention, Instant from, int atMost) {
    return purging.purge(retention, from, atMost);
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T unasked() {
    throw new UnsupportedOperationException("the engine does not ask this");
  }
}
