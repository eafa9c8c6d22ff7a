package dev.outbox.testkit.internal.store;

import dev.outbox.Claiming;
import dev.outbox.cluster.Clusters;
import dev.outbox.spi.Layout;
import dev.outbox.testkit.internal.tables.ArchiveTable;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import java.time.InstantSource;

/**
 * How an in-memory store is to be laid out: by default 32 lanes, one cluster, no archive.
 *
 * <p>Used by one thread.
 */
public final class InMemorySetup {
  private static final int SCHEMA_VERSION = 1;

  private int lanes = 32;
  private Claiming claiming = Claiming.LANES;
  private Clusters clusters = Clusters.ONE;
  private InstantSource clock = InstantSource.system();
  private ArchiveTable.Archive archive = ArchiveTable.Archive.NONE;

  public void lanes(int number) {
    this.lanes = number;
    this.claiming = Claiming.LANES;
  }

  public void rows() {
    this.lanes = 1;
    this.claiming = Claiming.ROWS;
  }

  public void clusters(Clusters wanted) {
    this.clusters = wanted;
  }

  public void clock(InstantSource wanted) {
    this.clock = wanted;
  }

  public void archive() {
    this.archive = ArchiveTable.Archive.KEPT;
  }

  /**
   * Empty tables.
   *
   * @throws IllegalArgumentException when the number of lanes is out of range
   */
  public InMemoryTables tables() {
    Layout layout = new Layout(SCHEMA_VERSION, lanes, claiming, clusters.count(), clusters.id());
    return new InMemoryTables(layout, clock, archive);
  }
}
