package dev.outbox.jdbc;

import dev.outbox.OutboxException.Finding;
import dev.outbox.Snapshot;
import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.cluster.ClusterTable;
import dev.outbox.jdbc.internal.lanes.LaneSession;
import dev.outbox.jdbc.internal.lanes.LaneSession.LaneTerms;
import dev.outbox.jdbc.internal.message.Appends;
import dev.outbox.jdbc.internal.once.DedupeTable;
import dev.outbox.jdbc.internal.operate.DeadLetterTable;
import dev.outbox.jdbc.internal.operate.MessageTables;
import dev.outbox.jdbc.internal.operate.RelayTable;
import dev.outbox.jdbc.internal.operate.StoreQueries;
import dev.outbox.jdbc.internal.operate.TopicTable;
import dev.outbox.jdbc.internal.rows.RowSession;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.jdbc.internal.schema.ExistingTables;
import dev.outbox.jdbc.internal.session.CallerCheck;
import dev.outbox.jdbc.internal.session.Server;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.internal.session.Tables;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The outbox on a relational database: PostgreSQL, MySQL, MariaDB, Oracle or H2, found from the
 * connection.
 *
 * <p>Safe for use by many threads. It borrows connections from the data source and returns them as
 * they came: one for each open {@link LaneStore} or {@link RowStore}, and one for the length of any
 * other call.
 */
public final class JdbcStore implements OutboxStore {
  /** How long a call on a connection borrowed for it alone may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final DataSource dataSource;
  private final Sql sql;
  private final boolean archive;
  private final Limits limits;
  private final Layout layout;
  private final Appends appends;
  private final DedupeTable dedupe;
  private final StoreQueries queries;
  private final Doctor doctor;
  private final @Nullable PostgresWakeup others;
  private final Wakeup wakeup;

  private JdbcStore(Builder builder, Server server) {
    this.dataSource = builder.dataSource;
    Dialect dialect = builder.dialect == null ? Dialects.of(server.product()) : builder.dialect;
    Tables tables = Tables.of(builder.schema, builder.tablePrefix, dialect.maxIdentifier());
    Sql anywhere = new Sql(dialect, tables, builder.clock);
    this.archive = builder.archive;
    this.limits = Limits.below(PATIENCE);
    this.layout = layout(new ExistingTables(dataSource, anywhere));
    this.sql = anywhere.at(layout);
    this.queries = new StoreQueries(dataSource, sql, limits, layout.claiming());
    CallerCheck callerCheck = new CallerCheck(sql, server);
    this.appends = new Appends(sql, callerCheck);
    this.dedupe = new DedupeTable(dataSource, sql, limits, callerCheck);
    Doctor anyNode = new Doctor(dataSource, tables, layout, InstantSource.system());
    this.doctor = builder.oneNode ? anyNode.onOneNode() : anyNode;
    this.others = builder.wakeup;
    this.wakeup = others == null ? Wakeup.inProcess() : others.of(dataSource, sql);
  }

  private static Layout layout(ExistingTables existing) {
    existing
        .remedy()
        .ifPresent(
            remedy -> {
              throw StoreException.lasting(remedy, null);
            });
    return existing.layout();
  }

  /** A store with the defaults of {@link #builder}. */
  public static JdbcStore create(DataSource dataSource) {
    return builder(dataSource).build();
  }

  /**
   * Begins a store. Defaults:
   *
   * <ul>
   *   <li>schema: the connection's own
   *   <li>table prefix: {@code outbox}
   *   <li>archive: off, delivered messages are deleted
   *   <li>one node: not declared, a node of a Galera cluster or of Group Replication is refused
   *   <li>wake-ups: within this process
   *   <li>clock: the database's
   * </ul>
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public void append(Connection transaction, List<NewEnvelope> messages) {
    appends.append(transaction, messages);
  }

  @Override
  public DedupeStore dedupe() {
    return dedupe;
  }

  @Override
  public Instant now() {
    return queries.now();
  }

  @Override
  public LaneStore lanes(String owner, Duration lease) {
    return new LaneSession(dataSource, sql, new LaneTerms(owner, lease, layout, archive));
  }

  @Override
  public RowStore rows(Duration longestClaim) {
    return new RowSession(dataSource, sql, longestClaim, archive);
  }

  @Override
  public RelayRegistry registry() {
    return RelayTable.borrowing(dataSource, sql, limits);
  }

  @Override
  public DeadStore deadLetters() {
    return new DeadLetterTable(dataSource, sql, limits);
  }

  @Override
  public TopicStore topics() {
    return new TopicTable(dataSource, sql, limits);
  }

  @Override
  public MessageStore messages() {
    return new MessageTables(dataSource, sql, limits, archive);
  }

  @Override
  public Snapshot snapshot(long bound) {
    return queries.snapshot(bound);
  }

  @Override
  public boolean archives() {
    return archive;
  }

  @Override
  public Purged purgeArchive(Duration retention, Instant from, int atMost) {
    return archive ? queries.purgeArchive(retention, from, atMost) : new Purged(0, from);
  }

  @Override
  public ClusterStore clusters() {
    return ClusterTable.borrowing(dataSource, sql, layout, limits);
  }

  @Override
  public Wakeup wakeup() {
    return wakeup;
  }

  @Override
  public List<Finding> examine(Usage usage) {
    List<Finding> findings = doctor.examine(withListener(usage));
    if (usage.role() == Usage.Role.RELAY) {
      sql.keepsSessions(Doctor.sawSessionsKept(findings));
    }
    boolean missing = archive && usage.role() == Usage.Role.RELAY && queries.isWithoutArchive();
    return missing ? Doctor.withoutArchive(findings, sql) : findings;
  }

  /** A relay's wake-ups listen on a connection, which may come out of the relay's own pool. */
  private Usage withListener(Usage usage) {
    int listener = others == null ? 0 : others.connectionsToCome(dataSource);
    return usage.role() == Usage.Role.RELAY
        ? new Usage(usage.role(), usage.claiming(), usage.connections() + listener, usage.lease())
        : usage;
  }

  /**
   * Collects how a store is set up. Used by one thread; defaults are at {@link JdbcStore#builder}.
   */
  public static final class Builder {
    private final DataSource dataSource;
    private @Nullable String schema;
    private String tablePrefix = Tables.DEFAULT_PREFIX;
    private boolean archive;
    private boolean oneNode;
    private @Nullable PostgresWakeup wakeup;
    private @Nullable InstantSource clock;
    private @Nullable Dialect dialect;

    private Builder(DataSource dataSource) {
      this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /** The schema of the tables. Default: the connection's own. */
    public Builder schema(String schema) {
      this.schema = Objects.requireNonNull(schema, "schema");
      return this;
    }

    /** How the tables' names begin. Default: {@code outbox}, as in {@code outbox_lane}. */
    public Builder tablePrefix(String tablePrefix) {
      this.tablePrefix = Objects.requireNonNull(tablePrefix, "tablePrefix");
      return this;
    }

    /** Keeps delivered messages in the archive table. Default: they are deleted. */
    public Builder archive() {
      this.archive = true;
      return this;
    }

    /**
     * Declares that all writers and relays of these tables use one and the same node of a Galera
     * cluster or of Group Replication. Nothing checks it: messages written through another node may
     * be late or out of order. Default: not declared, and such a server is refused by the doctor.
     */
    public Builder oneNode() {
      this.oneNode = true;
      return this;
    }

    /**
     * Wakes the relays of other processes too, and listens to them while a relay runs; PostgreSQL
     * only. Stays the caller's to close. Default: relays of this process are woken, others find
     * news by their poll.
     */
    public Builder wakeup(PostgresWakeup wakeup) {
      this.wakeup = Objects.requireNonNull(wakeup, "wakeup");
      return this;
    }

    /**
     * Takes the time from {@code clock} instead of the database, for tests. Default: the database's
     * clock.
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /** Runs the text of {@code dialect} whatever the product, as Oracle's on H2 in tests. */
    Builder dialect(Dialect dialect) {
      this.dialect = dialect;
      return this;
    }

    /**
     * Connects once, finds the dialect and reads the layout.
     *
     * @throws IllegalArgumentException when the product is not supported, or not the one that the
     *     wake-ups need, or a name is not an identifier
     * @throws StoreException when the database does not answer, or the tables are missing or of
     *     another schema version
     */
    public JdbcStore build() {
      return new JdbcStore(this, Server.behind(dataSource));
    }
  }
}
