package dev.outbox.jdbc;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.once.Receipts;
import dev.outbox.jdbc.internal.schema.Dialects;
import dev.outbox.jdbc.internal.session.CallerCheck;
import dev.outbox.jdbc.internal.session.Server;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.internal.session.Tables;
import dev.outbox.message.MessageId;
import dev.outbox.spi.ReceiptStore;
import java.sql.Connection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The receipts of an inbox on a consumer's relational database: PostgreSQL, MySQL, MariaDB, Oracle
 * or H2, found from the connection. It needs no tables of an outbox, only its own: {@code
 * Schema.builder(dataSource).only(Schema.Part.RECEIPT).create()}.
 *
 * <p>Safe for use by many threads. It borrows a connection for a moment when it is made, and for
 * each purge.
 *
 * <pre>{@code
 * JdbcInbox receipts = JdbcInbox.create(dataSource);
 * JdbcInbox other =
 *     JdbcInbox.builder(dataSource)
 *         .schema("billing")
 *         .tablePrefix("app")
 *         .clock(InstantSource.system())
 *         .build();
 * Inbox inbox = Inbox.create(receipts);
 * }</pre>
 */
public final class JdbcInbox implements ReceiptStore {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final DataSource dataSource;
  private final Receipts receipts;

  private JdbcInbox(Builder builder, Server server) {
    this.dataSource = builder.dataSource;
    Dialect dialect = builder.dialect == null ? Dialects.of(server.product()) : builder.dialect;
    Tables tables = Tables.of(builder.schema, builder.tablePrefix, dialect.maxIdentifier());
    Sql sql = new Sql(dialect, tables, builder.clock);
    this.receipts = new Receipts(sql, new CallerCheck(sql, server));
  }

  /** Receipts with the defaults of {@link #builder}. */
  public static JdbcInbox create(DataSource dataSource) {
    return builder(dataSource).build();
  }

  /**
   * Begins an inbox's receipts. Defaults:
   *
   * <ul>
   *   <li>schema: the connection's own
   *   <li>table prefix: {@code outbox}, as in {@code outbox_receipt}
   *   <li>clock: the database's
   * </ul>
   */
  public static Builder builder(DataSource dataSource) {
    return new Builder(dataSource);
  }

  @Override
  public Set<MessageId> receive(
      Connection transaction, String consumer, List<MessageId> ids, Duration keep) {
    return receipts.receive(transaction, consumer, ids, keep);
  }

  @Override
  public int purge(int atMost) {
    return receipts.purge(dataSource, Limits.below(PATIENCE), atMost);
  }

  /**
   * Collects how receipts are set up. Used by one thread; defaults are at {@link
   * JdbcInbox#builder}.
   */
  public static final class Builder {
    private final DataSource dataSource;
    private @Nullable String schema;
    private String tablePrefix = Tables.DEFAULT_PREFIX;
    private @Nullable InstantSource clock;
    private @Nullable Dialect dialect;

    private Builder(DataSource dataSource) {
      this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /** The schema of the table. Default: the connection's own. */
    public Builder schema(String schema) {
      this.schema = Objects.requireNonNull(schema, "schema");
      return this;
    }

    /** How the table's name begins. Default: {@code outbox}, as in {@code outbox_receipt}. */
    public Builder tablePrefix(String tablePrefix) {
      this.tablePrefix = Objects.requireNonNull(tablePrefix, "tablePrefix");
      return this;
    }

    /**
     * Takes the time of receipts from {@code clock} instead of the database, for tests. Default:
     * the database's clock.
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
     * Connects once and finds the dialect.
     *
     * @throws IllegalArgumentException when the product is not supported, or a name is not an
     *     identifier
     * @throws StoreException when the database does not answer
     */
    public JdbcInbox build() {
      return new JdbcInbox(this, Server.behind(dataSource));
    }
  }
}
