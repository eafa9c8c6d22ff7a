package dev.outbox.jdbc;

import dev.outbox.Claiming;
import dev.outbox.StoreException;
import dev.outbox.cluster.Clusters;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Product;
import dev.outbox.jdbc.internal.ids.RaisedIds;
import dev.outbox.jdbc.internal.schema.Ddl;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.jdbc.internal.schema.ExistingTables;
import dev.outbox.jdbc.internal.schema.SchemaVersion;
import dev.outbox.jdbc.internal.session.Server;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.spi.Layout;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an outbox: prints their DDL, applies it, and checks what is there.
 *
 * <p>Immutable, safe for use by many threads. The same DDL lies in the jar as {@code
 * dev/outbox/jdbc/ddl/<dialect>/*.sql} for Flyway and Liquibase.
 *
 * <pre>{@code
 * Schema.builder(dataSource).create(); // the defaults
 * Schema schema =
 *     Schema.builder(dataSource)
 *         .schema("shop")
 *         .tablePrefix("app")
 *         .lanes(64)
 *         .claiming(Claiming.LANES)
 *         .clusters(Clusters.ONE)
 *         .with(Schema.Part.ARCHIVE)
 *         .build();
 * schema.create();
 * String due = schema.upgradeDdl(); // what the next line runs
 * schema.upgrade(); // tables of an older version
 * List<String> wrong = schema.verify(); // empty when all is there
 * List<String> raised = schema.raiseIds(); // after a restore
 * String forFlyway = schema.ddl();
 * Schema.builder(dataSource).only(Schema.Part.RECEIPT).create(); // a consumer's database
 * }</pre>
 */
public final class Schema {
  private final DataSource dataSource;
  private final Dialect dialect;
  private final Tables tables;
  private final Layout layout;
  private final Set<Part> parts;
  private final boolean isWhole;

  private Schema(Builder builder, Product product) {
    this.dataSource = builder.dataSource;
    this.dialect = builder.dialect == null ? Dialects.of(product) : builder.dialect;
    this.tables = Tables.of(builder.schema, builder.tablePrefix, dialect.maxIdentifier());
    this.layout =
        new Layout(
            SchemaVersion.CURRENT,
            builder.claiming == Claiming.ROWS ? 1 : builder.lanes,
            builder.claiming,
            builder.clusters.count(),
            builder.clusters.id());
    this.parts = Set.copyOf(builder.parts);
    this.isWhole = builder.isWhole;
  }

  /** Tables that are there only when used. */
  public enum Part {
    /** Delivered messages, for a store built with {@code archive()}. */
    ARCHIVE,
    /** Keys of messages enqueued once, for {@code Message.to(topic).dedupeKey(key)}. */
    DEDUPE,
    /** The inbox of a consumer, in the consumer's database: see {@link Builder#only}. */
    RECEIPT
  }

  /**
   * Begins a schema. Defaults:
   *
   * <ul>
   *   <li>schema: the connection's own
   *   <li>table prefix: {@code outbox}
   *   <li>lanes: 32
   *   <li>claiming: {@link Claiming#LANES}; {@link Claiming#ROWS} means one lane
   *   <li>clusters: {@link Clusters#ONE}
   *   <li>parts: none
   * </ul>
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  /**
   * Creates missing tables, and their missing indexes. It adds no primary key to a table that is
   * there, and on MySQL and MariaDB no index: {@link #verify} names the statement that does.
   * Harmless when repeated, also by two processes at once, and beside open transactions: what is
   * there is not locked.
   *
   * @throws IllegalStateException when tables with another layout, schema version or other columns
   *     exist
   */
  public void create() {
    if (!isWhole) {
      ddlText().create(dataSource, connection -> {});
      return;
    }
    ExistingTables existing = existing();
    existing.refuseOtherVersion();
    ddlText().create(dataSource, connection -> existing.refuseOther(layout, connection));
    existing.refuseOther(layout); // another process may have made them meanwhile
  }

  /**
   * Brings tables of an older schema version to that of this library, step by step. Harmless when
   * repeated, also after it broke off, and by two processes at once. Writers may go on meanwhile: a
   * statement waits for open transactions for 5 s at most, up to 20 times. On Oracle it is tried
   * every 5 s, up to 20 times.
   *
   * @throws IllegalStateException when there are no tables, when they are of a newer version, when
   *     relays live on them, or when they are not as they should be after the last step
   * @throws StoreException when open transactions, or an index that another process builds, keep a
   *     statement from its table
   */
  public void upgrade() {
    existing().upgrade();
  }

  /**
   * What {@link #upgrade} would run now, as {@link #ddl} has it; empty when the tables are of this
   * version, of a newer one, or missing. Relays may live on them.
   */
  public String upgradeDdl() {
    return existing().upgradeDdl();
  }

  /**
   * Raises the next ids above all that the tables show, and every epoch above all that were given:
   * after a restore, a failover to an older copy, or a {@code TRUNCATE ... RESTART IDENTITY}. Best
   * run before anything is written; under running relays each lane waits until its lease is over.
   * Harmless when repeated, also by two processes at once. It reads every dead letter and takes two
   * connections. Returns the statements that it ran.
   *
   * @throws IllegalStateException with several clusters, where another one may have given the
   *     highest id (docs/several-clusters-restore.md says what to do), or when the database does
   *     not show a next id
   */
  public List<String> raiseIds() {
    Layout existing = existing().layout();
    if (existing.hasPeers()) {
      throw new IllegalStateException(
          "these are the tables of cluster %d of %d, and another one may show higher ids of it. Look for the highest in all clusters as docs/several-clusters-restore.md says, and raise the ids above it"
              .formatted(existing.cluster(), existing.clusters()));
    }
    return RaisedIds.raise(dataSource, sql().at(existing));
  }

  /** What is missing or wrong, in words; empty when all is well. */
  public List<String> verify() {
    return ddlText().verify(dataSource);
  }

  /**
   * The DDL with names, lanes and claiming filled in: plain statements, each ended by a semicolon.
   */
  public String ddl() {
    return ddlText().text();
  }

  private Ddl ddlText() {
    List<String> names = parts.stream().map(Part::name).sorted().toList();
    return isWhole
        ? Ddl.of(dialect, tables, layout, names)
        : Ddl.ofParts(dialect, tables, layout, names);
  }

  private ExistingTables existing() {
    return new ExistingTables(dataSource, sql());
  }

  private Sql sql() {
    return new Sql(dialect, tables, null);
  }

  /**
   * Collects how a schema is laid out. Used by one thread; defaults are at {@link Schema#builder}.
   */
  public static final class Builder {
    private final DataSource dataSource;
    private final Set<Part> parts = EnumSet.noneOf(Part.class);
    private boolean isWhole = true;
    private @Nullable String schema;
    private String tablePrefix = Tables.DEFAULT_PREFIX;
    private int lanes = 32;
    private Claiming claiming = Claiming.LANES;
    private Clusters clusters = Clusters.ONE;
    private @Nullable Dialect dialect;

    private Builder(DataSource dataSource) {
      this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /** The schema of the tables, which must exist. Default: the connection's own. */
    public Builder schema(String schema) {
      this.schema = Objects.requireNonNull(schema, "schema");
      return this;
    }

    /** How the tables' names begin. Default: {@code outbox}. */
    public Builder tablePrefix(String tablePrefix) {
      this.tablePrefix = Objects.requireNonNull(tablePrefix, "tablePrefix");
      return this;
    }

    /**
     * The number of lanes, 1 to {@value Layout#MAX_LANES}. Default: 32. With row claims it is 1.
     */
    public Builder lanes(int lanes) {
      this.lanes = lanes;
      return this;
    }

    /** How relays claim. Default: {@link Claiming#LANES}. */
    public Builder claiming(Claiming claiming) {
      this.claiming = Objects.requireNonNull(claiming, "claiming");
      return this;
    }

    /**
     * Makes these the tables of one cluster among several, which have a part of the lanes and of
     * the ids for themselves. Default: {@link Clusters#ONE}. Needs claims by lanes.
     */
    public Builder clusters(Clusters clusters) {
      this.clusters = Objects.requireNonNull(clusters, "clusters");
      return this;
    }

    /** Adds an optional table. Default: none. */
    public Builder with(Part part) {
      parts.add(Objects.requireNonNull(part, "part"));
      return this;
    }

    /**
     * Leaves out the tables of the outbox itself: for a consumer that has an inbox and no outbox,
     * {@code only(Part.RECEIPT)}. Lanes and claiming are not asked for then. Default: the outbox
     * and the parts that were added.
     */
    public Builder only(Part part) {
      isWhole = false;
      return with(part);
    }

    /** Uses the DDL of {@code dialect} whatever the product. */
    Builder dialect(Dialect dialect) {
      this.dialect = dialect;
      return this;
    }

    /**
     * Connects once and finds the dialect.
     *
     * @throws IllegalArgumentException when the product is not supported, a name is not an
     *     identifier, or the lanes are out of range
     * @throws StoreException when the database does not answer
     */
    public Schema build() {
      return new Schema(this, Server.behind(dataSource).product());
    }

    /** As {@code build().create()}. */
    public void create() {
      build().create();
    }
  }
}
