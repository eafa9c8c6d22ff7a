package dev.outbox.jdbc.sql;

import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.shape.AppendSql;
import dev.outbox.jdbc.shape.ByIds;
import dev.outbox.jdbc.shape.BySource;
import dev.outbox.jdbc.shape.ClaimSql;
import dev.outbox.jdbc.shape.DeadSql;
import dev.outbox.jdbc.shape.FenceSql;
import dev.outbox.jdbc.shape.KeyQuery;
import dev.outbox.jdbc.shape.LaneQuery;
import dev.outbox.jdbc.shape.LimitSql;
import dev.outbox.jdbc.shape.LockSql;
import dev.outbox.jdbc.shape.NextIdSql;
import dev.outbox.jdbc.shape.OnceSql;
import dev.outbox.jdbc.shape.PurgeSql;
import dev.outbox.jdbc.shape.SlotSql;
import dev.outbox.jdbc.shape.WritersSql;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The statements of one database, as the shapes that its texts have.
 *
 * <p>Immutable.
 */
public final class Statements {
  /** All that is asked of a database. */
  public static final List<Statement> ALL =
      Stream.<Statement[]>of(
              LaneStatement.values(),
              IdStatement.values(),
              SettleStatement.values(),
              DueStatement.values(),
              RowStatement.values(),
              DeadStatement.values(),
              OnceStatement.values(),
              RegistryStatement.values(),
              ClusterStatement.values(),
              SweepStatement.values())
          .flatMap(Stream::of)
          .toList();

  /** The files of a folder. */
  static final List<String> FILES =
      Stream.concat(Stream.of("fragments"), ALL.stream().map(Statement::file)).distinct().toList();

  /** By folders: what was read once serves every store, schema and doctor of this JVM. */
  private static final Map<List<String>, Statements> READ = new ConcurrentHashMap<>();

  private final Map<Statement, Object> shapes = new HashMap<>();

  private Statements(Texts texts) {
    ALL.forEach(statement -> shapes.put(statement, statement.kind().of(texts, statement)));
    texts.refuseUnread();
  }

  /**
   * Reads them, once in a JVM.
   *
   * @throws IllegalStateException when a name or a shape in the files is unknown, or a text missing
   */
  public static Statements of(Dialect dialect) {
    return READ.computeIfAbsent(dialect.folders(), folders -> of(Texts.of(folders, FILES)));
  }

  static Statements of(Texts texts) {
    return new Statements(texts);
  }

  /** A text or a shape, as its kind says. */
  public Object shape(Statement statement) {
    return Objects.requireNonNull(shapes.get(statement));
  }

  private <T> T shape(Statement statement, Class<T> type) {
    return type.cast(shape(statement));
  }

  public String text(Statement statement) {
    return shape(statement, String.class);
  }

  public String text(Statement statement, BySource.Source source) {
    return shape(statement, BySource.class).of(source);
  }

  public AppendSql append(RowStatement statement) {
    return shape(statement, AppendSql.class);
  }

  public ByIds byIds(Statement statement) {
    return shape(statement, ByIds.class);
  }

  public ClaimSql claim(RowStatement statement) {
    return shape(statement, ClaimSql.class);
  }

  public DeadSql dead(DeadStatement statement) {
    return shape(statement, DeadSql.class);
  }

  public FenceSql fence() {
    return shape(SettleStatement.FENCE, FenceSql.class);
  }

  public KeyQuery keys(Statement statement) {
    return shape(statement, KeyQuery.class);
  }

  public LaneQuery lanes(Statement statement) {
    return shape(statement, LaneQuery.class);
  }

  public LimitSql limits() {
    return shape(RegistryStatement.LIMITS, LimitSql.class);
  }

  public LockSql lock(Statement statement) {
    return shape(statement, LockSql.class);
  }

  public NextIdSql nextId() {
    return shape(IdStatement.NEXT_ID, NextIdSql.class);
  }

  public OnceSql once(OnceStatement statement) {
    return shape(statement, OnceSql.class);
  }

  public PurgeSql purge(OnceStatement statement) {
    return shape(statement, PurgeSql.class);
  }

  public SlotSql slots(OnceStatement statement) {
    return shape(statement, SlotSql.class);
  }

  public WritersSql writers() {
    return shape(RegistryStatement.WRITERS, WritersSql.class);
  }
}
