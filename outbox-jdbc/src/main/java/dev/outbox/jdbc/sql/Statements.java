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
 * <p>Safe for use by many threads.
 */
public final class Statements {
  /** By folders: what was read once serves every store, schema and doctor of this JVM. */
  private static final Map<List<String>, Statements> READ = new ConcurrentHashMap<>();

  private final List<String> folders;

  /** By the set that they belong to. */
  private final Map<Class<?>, Map<Statement, Object>> shapes = new ConcurrentHashMap<>();

  private Statements(List<String> folders) {
    this.folders = folders;
  }

  /** Those of {@code dialect}. A set's file is read when one of it is first asked for. */
  public static Statements of(Dialect dialect) {
    return READ.computeIfAbsent(dialect.folders(), Statements::new);
  }

  /** All that is asked of a database. */
  public static List<Statement> all() {
    return Stream.<Statement[]>of(
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
  }

  /**
   * A text or a shape, as its kind says.
   *
   * @throws IllegalStateException when a name or a shape in its file is unknown, or a text missing
   */
  public Object shape(Statement statement) {
    Map<Statement, Object> set = shapes.get(statement.getClass());
    if (set == null) {
      set = shapes.computeIfAbsent(statement.getClass(), any -> read(statement));
    }
    return Objects.requireNonNull(set.get(statement));
  }

  private Map<Statement, Object> read(Statement statement) {
    return of(Texts.of(folders, statement.file()), statement.all());
  }

  static Map<Statement, Object> of(Texts texts, Statement... set) {
    Map<Statement, Object> shapes = new HashMap<>();
    for (Statement each : set) {
      shapes.put(each, each.kind().of(texts, each));
    }
    texts.refuseUnread();
    return shapes;
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
