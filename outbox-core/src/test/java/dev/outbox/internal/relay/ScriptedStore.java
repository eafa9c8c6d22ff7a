package dev.outbox.internal.relay;

import dev.outbox.Claiming;
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
  public MessageStore messages() {
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
