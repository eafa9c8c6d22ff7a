package dev.outbox.testkit;

import dev.outbox.OutboxException.Finding;
import dev.outbox.Snapshot;
import dev.outbox.cluster.Clusters;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.DedupeStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
import dev.outbox.spi.MessageStore;
import dev.outbox.spi.OutboxStore;
import dev.outbox.spi.Purged;
import dev.outbox.spi.ReceiptStore;
import dev.outbox.spi.RelayRegistry;
import dev.outbox.spi.RowStore;
import dev.outbox.spi.TopicStore;
import dev.outbox.spi.Usage;
import dev.outbox.spi.Wakeup;
import dev.outbox.spi.cluster.ClusterStore;
import dev.outbox.spi.lane.Lane;
import dev.outbox.spi.settle.NewEnvelope;
import dev.outbox.testkit.internal.store.InMemoryCounts;
import dev.outbox.testkit.internal.store.InMemoryPorts;
import dev.outbox.testkit.internal.store.InMemorySetup;
import dev.outbox.testkit.internal.tables.InMemoryDataSource;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.Monitor;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * A complete store in memory, with real transactions: ids are taken at once, rows become visible at
 * commit, a rollback leaves nothing. It passes the same contract as the databases, so that what a
 * test sees with it holds for them too.
 *
 * <p>Safe for use by many threads.
 */
public final class InMemoryStore implements OutboxStore {
  private final InMemoryTables inMemoryTables;
  private final InMemoryPorts ports;
  private final InMemoryCounts counts;
  private final Wakeup wakeup = Wakeup.inProcess();
  private final InMemoryDataSource dataSource;

  private InMemoryStore(InMemoryTables inMemoryTables) {
    this.inMemoryTables = inMemoryTables;
    this.ports = new InMemoryPorts(inMemoryTables);
    this.counts = new InMemoryCounts(inMemoryTables);
    this.dataSource = new InMemoryDataSource(inMemoryTables);
  }

  /** A store with the builder's defaults. */
  public static InMemoryStore create() {
    return builder().build();
  }

  /** Begins a store of another layout, clock or archive. */
  public static Builder builder() {
    return new Builder();
  }

  /** Connections for transactions that commit or roll back messages; they know no SQL. */
  public DataSource dataSource() {
    return dataSource;
  }

  /** An open application transaction; closing it without a commit rolls back. */
  public Connection begin() {
    return dataSource.begin();
  }

  @Override
  public Layout layout() {
    return inMemoryTables.layout;
  }

  @Override
  public void append(Connection connection, List<NewEnvelope> messages) {
    ports.append(connection, messages);
  }

  @Override
  public DedupeStore dedupe() {
    return ports.dedupe();
  }

  /**
   * The receipts of an {@link dev.outbox.Inbox} over the transactions of {@link #dataSource}. The
   * consumer under test may be over the store that it is fed from, or over another.
   */
  public ReceiptStore receipts() {
    return ports.receipts();
  }

  @Override
  public Instant now() {
    return inMemoryTables.now();
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return ports.lanes(owner, lease);
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    return ports.rows();
  }

  @Override
  public RelayRegistry registry() {
    return ports.registry();
  }

  @Override
  public DeadStore deadLetters() {
    return ports.deadLetters();
  }

  @Override
  public TopicStore topics() {
    return ports.topics();
  }

  @Override
  public MessageStore messages() {
    return ports.messages();
  }

  @Override
  public Snapshot snapshot(long bound) {
    return ports.snapshot(bound);
  }

  @Override
  public boolean archives() {
    return inMemoryTables.archive.isKept();
  }

  @Override
  public Purged purgeArchive(Duration retention, Instant from, int atMost) {
    return inMemoryTables.purgeArchive(retention, from, atMost);
  }

  @Override
  public ClusterStore clusters() {
    return ports.clusters();
  }

  /** What replication sees. */
  InMemoryTables inMemoryTables() {
    return inMemoryTables;
  }

  @Override
  public Wakeup wakeup() {
    return wakeup;
  }

  @Override
  public List<Finding> examine(Usage usage) {
    return ports.examine(usage);
  }

  /**
   * A copy of all that is committed now, with the leases and the identity, to go back to: see
   * {@link StoreCopy#restore}.
   */
  public StoreCopy copy() {
    return new StoreCopy(inMemoryTables);
  }

  /**
   * Makes the next id higher than all that the store shows, and every epoch higher than any that
   * was given: what an operator does after a restore.
   */
  public void raiseIds() {
    inMemoryTables.raiseIds();
  }

  /** Where every committed message is. */
  public Contents contents() {
    return Contents.of(inMemoryTables);
  }

  /** Waits until its contents are as {@code wanted}. False when not within {@code timeout}. */
  public boolean await(Predicate<Contents> wanted, Duration timeout) throws InterruptedException {
    return Monitor.await(inMemoryTables, () -> wanted.test(contents()), timeout);
  }

  /** How many messages are ready. */
  public int readyCount() {
    return counts.ready();
  }

  /** How many messages are parked. */
  public int parkedCount() {
    return counts.parked();
  }

  /** How many messages wait for their due time. */
  public int delayedCount() {
    return counts.delayed();
  }

  /** How many delivered messages are archived. */
  public int archivedCount() {
    return counts.archived();
  }

  /**
   * Locks the row of a lane, as a session does that is just claiming it, until the returned lock is
   * closed.
   */
  AutoCloseable lock(Lane lane) {
    return inMemoryTables.lock(lane);
  }

  @Override
  public String toString() {
    return "InMemoryStore[" + contents() + "]";
  }

  /**
   * A store that is not built yet. Used by one thread. Defaults:
   *
   * <ul>
   *   <li>32 lanes, claims by lanes
   *   <li>one cluster
   *   <li>the system's clock
   *   <li>no archive
   * </ul>
   */
  public static final class Builder {
    private final InMemorySetup setup = new InMemorySetup();

    private Builder() {}

    /** Lays the store out for claims by that many lanes. Default: 32. */
    public Builder lanes(int number) {
      setup.lanes(number);
      return this;
    }

    /** Lays the store out for claims by rows. Default: by lanes. */
    public Builder rows() {
      setup.rows();
      return this;
    }

    /**
     * Makes it the store of one cluster among several, which {@link Replication} connects. Default:
     * one cluster.
     */
    public Builder clusters(Clusters clusters) {
      setup.clusters(clusters);
      return this;
    }

    /**
     * The store's clock, which judges leases and due times; usually a {@link SettableClock}.
     * Default: the system's.
     */
    public Builder clock(InstantSource clock) {
      setup.clock(clock);
      return this;
    }

    /** Keeps delivered messages until they are purged. Default: they are deleted. */
    public Builder archive() {
      setup.archive();
      return this;
    }

    /**
     * The store.
     *
     * @throws IllegalArgumentException when the number of lanes is out of range
     */
    public InMemoryStore build() {
      return new InMemoryStore(setup.tables());
    }
  }
}
