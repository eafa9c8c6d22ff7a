package dev.outbox.testkit;

import dev.outbox.Claiming;
import dev.outbox.OutboxException.Finding;
import dev.outbox.Snapshot;
import dev.outbox.cluster.Clusters;
import dev.outbox.message.Envelope;
import dev.outbox.message.Message;
import dev.outbox.spi.DeadStore;
import dev.outbox.spi.DedupeStore;
import dev.outbox.spi.LaneStore;
import dev.outbox.spi.Layout;
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
import dev.outbox.testkit.internal.store.InMemoryDead;
import dev.outbox.testkit.internal.store.InMemoryDedupe;
import dev.outbox.testkit.internal.store.InMemoryLanes;
import dev.outbox.testkit.internal.store.InMemoryRelays;
import dev.outbox.testkit.internal.store.InMemoryRows;
import dev.outbox.testkit.internal.store.InMemorySnapshot;
import dev.outbox.testkit.internal.store.InMemoryTopics;
import dev.outbox.testkit.internal.tables.InMemoryClusters;
import dev.outbox.testkit.internal.tables.InMemoryConnection;
import dev.outbox.testkit.internal.tables.InMemoryDataSource;
import dev.outbox.testkit.internal.tables.InMemoryReceipts;
import dev.outbox.testkit.internal.tables.InMemoryTables;
import dev.outbox.testkit.internal.tables.InMemoryTransaction;
import dev.outbox.testkit.internal.tables.Monitor;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A complete store in memory, with real transactions: ids are taken at once, rows become visible at
 * commit, a rollback leaves nothing. It passes the same contract as the databases, so that what a
 * test sees with it holds for them too.
 *
 * <p>Safe for use by many threads.
 */
public final class InMemoryStore implements OutboxStore {
  private static final int SCHEMA_VERSION = 1;

  private final InMemoryTables inMemoryTables;
  private final Wakeup wakeup = Wakeup.inProcess();
  private final DataSource dataSource;

  private InMemoryStore(Builder builder) {
    Layout layout =
        new Layout(
            SCHEMA_VERSION,
            builder.lanes,
            builder.claiming,
            builder.clusters.count(),
            builder.clusters.id());
    this.inMemoryTables = new InMemoryTables(layout, builder.clock, builder.archive);
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

  /**
   * Connections for application transactions. They commit and roll back messages and know no SQL.
   */
  public DataSource dataSource() {
    return dataSource;
  }

  /**
   * An open application transaction: a connection with autocommit off. Closing it without a commit
   * rolls back.
   */
  public Connection begin() {
    try {
      Connection connection = dataSource.getConnection();
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException("a new connection is open", e);
    }
  }

  @Override
  public Layout layout() {
    return inMemoryTables.layout;
  }

  @Override
  public void append(Connection connection, List<NewEnvelope> messages) {
    InMemoryTransaction transaction = InMemoryConnection.transactionOf(connection, inMemoryTables);
    messages.forEach(newEnvelope -> append(transaction, newEnvelope));
  }

  private void append(InMemoryTransaction transaction, NewEnvelope newEnvelope) {
    Lane lane = newEnvelope.lane();
    Envelope envelope = newEnvelope.envelope();
    if (inMemoryTables.isOwn(lane)) {
      inMemoryTables.lane(lane);
    }
    transaction.enlist();
    long id = inMemoryTables.nextId();
    Instant due = due(newEnvelope.due());
    if (due == null) {
      InMemoryTables.Ready row = new InMemoryTables.Ready(id, lane, envelope, inMemoryTables.now());
      transaction.write(() -> inMemoryTables.enqueue(row));
    } else {
      InMemoryTables.Delayed row = new InMemoryTables.Delayed(id, lane, envelope, due);
      transaction.write(() -> inMemoryTables.enqueue(row));
    }
  }

  @Override
  public DedupeStore dedupe() {
    return new InMemoryDedupe(inMemoryTables);
  }

  /**
   * The receipts of an {@link dev.outbox.Inbox} over the transactions of {@link #dataSource}. The
   * consumer under test may be over the store that it is fed from, or over another.
   */
  public ReceiptStore receipts() {
    return new InMemoryReceipts(inMemoryTables);
  }

  private @Nullable Instant due(Message.@Nullable Due due) {
    Instant now = inMemoryTables.now();
    Instant instant =
        due instanceof Message.Due.At at
            ? at.instant()
            : due instanceof Message.Due.After after ? now.plus(after.delay()) : null;
    return instant == null || !instant.isAfter(now) ? null : instant;
  }

  @Override
  public Instant now() {
    return inMemoryTables.now();
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return new InMemoryLanes(inMemoryTables, owner, lease);
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    return new InMemoryRows(inMemoryTables);
  }

  @Override
  public RelayRegistry registry() {
    return new InMemoryRelays(inMemoryTables);
  }

  @Override
  public DeadStore deadLetters() {
    return new InMemoryDead(inMemoryTables);
  }

  @Override
  public TopicStore topics() {
    return new InMemoryTopics(inMemoryTables);
  }

  @Override
  public Snapshot snapshot(long bound) {
    synchronized (inMemoryTables) {
      return new InMemorySnapshot(inMemoryTables).take(bound);
    }
  }

  @Override
  public boolean archives() {
    return inMemoryTables.archive == InMemoryTables.Archive.KEPT;
  }

  @Override
  public Purged purgeArchive(Duration retention, Instant from, int atMost) {
    return inMemoryTables.purgeArchive(retention, from, atMost);
  }

  @Override
  public ClusterStore clusters() {
    return new InMemoryClusters(inMemoryTables);
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
    if (usage.role() != Usage.Role.RELAY || usage.claiming() == layout().claiming()) {
      return List.of();
    }
    String text =
        "the tables are laid out for claims by %s, the relay claims by %s; start a relay of the other way"
            .formatted(layout().claiming(), usage.claiming());
    return List.of(new Finding(Finding.Severity.FAILURE, "CLAIMING", text));
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

  /** Where every committed message stands. */
  public Contents contents() {
    synchronized (inMemoryTables) {
      return Contents.of(inMemoryTables);
    }
  }

  /** Waits until its contents are as {@code wanted}. False when not within {@code timeout}. */
  public boolean await(Predicate<Contents> wanted, Duration timeout) throws InterruptedException {
    return Monitor.await(inMemoryTables, () -> wanted.test(contents()), timeout);
  }

  /** How many messages are ready. */
  public int readyCount() {
    synchronized (inMemoryTables) {
      return inMemoryTables.ready.size();
    }
  }

  /** How many messages are parked. */
  public int parkedCount() {
    synchronized (inMemoryTables) {
      return inMemoryTables.parked.size();
    }
  }

  /** How many messages wait for their due time. */
  public int delayedCount() {
    synchronized (inMemoryTables) {
      return inMemoryTables.delayed.size();
    }
  }

  /** How many delivered messages are archived. */
  public int archivedCount() {
    synchronized (inMemoryTables) {
      return inMemoryTables.archived.size();
    }
  }

  /** How many lanes are leased at this moment. */
  public int leasedCount() {
    synchronized (inMemoryTables) {
      Instant now = inMemoryTables.now();
      return (int)
          inMemoryTables.lanes.stream()
              .filter(row -> row.owner != null && row.until.isAfter(now))
              .count();
    }
  }

  /** How often {@code lane} was taken over from another owner since it last settled a message. */
  public int takeovers(Lane lane) {
    synchronized (inMemoryTables) {
      return inMemoryTables.lane(lane).takeovers;
    }
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
    private int lanes = 32;
    private Claiming claiming = Claiming.LANES;
    private Clusters clusters = Clusters.ONE;
    private InstantSource clock = InstantSource.system();
    private InMemoryTables.Archive archive = InMemoryTables.Archive.NONE;

    private Builder() {}

    /** Lays the store out for claims by so many lanes. Default: 32. */
    public Builder lanes(int number) {
      this.lanes = number;
      this.claiming = Claiming.LANES;
      return this;
    }

    /** Lays the store out for claims by rows. Default: by lanes. */
    public Builder rows() {
      this.lanes = 1;
      this.claiming = Claiming.ROWS;
      return this;
    }

    /**
     * Makes it the store of one cluster among several, which {@link Replication} connects. Default:
     * one cluster.
     */
    public Builder clusters(Clusters clusters) {
      this.clusters = clusters;
      return this;
    }

    /**
     * The store's clock, which judges leases and due times; usually a {@link SettableClock}.
     * Default: the system's.
     */
    public Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    /** Keeps delivered messages until they are purged. Default: they are deleted. */
    public Builder archive() {
      this.archive = InMemoryTables.Archive.KEPT;
      return this;
    }

    /**
     * The store.
     *
     * @throws IllegalArgumentException when the number of lanes is out of range
     */
    public InMemoryStore build() {
      return new InMemoryStore(this);
    }
  }
}
