package dev.outbox.jdbc.internal.operate;

import dev.outbox.DeadLetter;
import dev.outbox.DeadLetter.Reason;
import dev.outbox.DeadLetters.Filter;
import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.message.MessageColumns;
import dev.outbox.jdbc.internal.message.MessageRow;
import dev.outbox.jdbc.internal.moves.Moves;
import dev.outbox.jdbc.internal.session.Session;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.shape.DeadSql;
import dev.outbox.jdbc.sql.DeadStatement;
import dev.outbox.spi.DeadStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters, over connections borrowed call by call.
 *
 * <p>Safe for use by many threads.
 */
public final class DeadLetterTable implements DeadStore {
  private static final int ATTEMPTS = 20;

  private final DataSource dataSource;
  private final Sql sql;
  private final Dialect dialect;
  private final Limits limits;
  private final DeadMoves moves;

  public DeadLetterTable(DataSource dataSource, Sql sql, Limits limits) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.dialect = sql.dialect();
    this.limits = limits;
    this.moves = new DeadMoves(sql);
  }

  @Override
  public List<DeadLetter> page(Filter filter, long after, int limit) {
    Map<String, @Nullable Object> values = values(filter, after, limit);
    String page = search(filter).page();
    return found(
        filter,
        "page dead letters",
        connection -> sql.query(connection, page, values, row -> letter(row)));
  }

  @Override
  public List<DeadLetter.Summary> summaries(Filter filter, long after, int limit) {
    Map<String, @Nullable Object> values = values(filter, after, limit);
    String summaries = search(filter).summaries();
    return found(
        filter,
        "list dead letters",
        connection -> sql.query(connection, summaries, values, row -> summary(row)));
  }

  @Override
  public List<DeadLetter.Id> ids(Filter filter, long after, int limit) {
    Map<String, @Nullable Object> values = values(filter, after, limit);
    String ids = search(filter).ids();
    return found(
        filter,
        "name dead letters",
        connection ->
            sql.query(
                connection,
                ids,
                values,
                row -> new DeadLetter.Id(row.getLong(1), dialect.messageId(row, 2))));
  }

  /** With its own text for each index. */
  private DeadSql search(Filter filter) {
    if (filter.topic() == null) {
      return sql.statements().dead(DeadStatement.DEAD);
    }
    return filter.key() == null
        ? sql.statements().dead(DeadStatement.DEAD_OF_TOPIC)
        : sql.statements().dead(DeadStatement.DEAD_OF_KEY);
  }

  private static Map<String, @Nullable Object> values(Filter filter, long after, int limit) {
    Map<String, @Nullable Object> values = values(filter);
    values.put("after", after);
    values.put("limit", limit);
    return values;
  }

  private static Map<String, @Nullable Object> values(Filter filter) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("topic", filter.topic());
    values.put("msg_key", filter.key() == null ? null : filter.key().value());
    values.put("reason", filter.reason() == null ? null : filter.reason().name());
    values.put("older", filter.olderThan());
    values.put("error", filter.error());
    values.put("up_to", filter.upTo());
    return values;
  }

  private DeadLetter letter(ResultSet row) throws SQLException {
    return new DeadLetter(
        row.getLong("dead_id"),
        // an unreadable row is a dead letter too, and must not hide the others
        MessageColumns.all(row, sql).read(row).anyEnvelope(),
        Reason.valueOf(row.getString("reason")),
        Objects.requireNonNullElse(row.getString("last_error"), ""),
        row.getInt("attempts"),
        Objects.requireNonNullElse(row.getString("history"), ""),
        Objects.requireNonNull(dialect.instant(row, row.findColumn("died_at"))),
        row.getInt("holds") == 1);
  }

  private DeadLetter.Summary summary(ResultSet row) throws SQLException {
    return new DeadLetter.Summary(
        new DeadLetter.Id(
            row.getLong("dead_id"), dialect.messageId(row, row.findColumn("message_id"))),
        row.getString("topic"),
        MessageRow.readableKey(row.getString("msg_key")),
        Reason.valueOf(row.getString("reason")),
        Objects.requireNonNullElse(row.getString("last_error"), ""),
        row.getInt("attempts"),
        Objects.requireNonNull(dialect.instant(row, row.findColumn("died_at"))),
        row.getInt("holds") == 1);
  }

  @Override
  public long last() {
    return call(
        "find the last dead letter",
        connection ->
            sql
                .query(
                    connection,
                    DeadStatement.LAST_DEAD,
                    Map.of("limit", 1),
                    row -> row.getLong("dead_id"))
                .stream()
                .findFirst()
                .orElse(0L));
  }

  @Override
  public long count(Filter filter, long bound) {
    Map<String, @Nullable Object> values = values(filter);
    values.put("bound", bound);
    String count = search(filter).count();
    return found(
        filter,
        "count dead letters",
        connection -> sql.query(connection, count, values, row -> row.getLong(1)).get(0));
  }

  @Override
  public int replay(List<DeadLetter.Id> letters) {
    for (int attempt = 1; ; attempt++) {
      try {
        return call("replay dead letters", connection -> moves.replay(connection, letters));
      } catch (Moves.Uneven otherOperator) {
        // it has replayed or discarded some of them meanwhile: look again
        if (attempt == ATTEMPTS) {
          throw StoreException.passing(
              "replay dead letters: another operator replays them now; call again", otherOperator);
        }
      }
    }
  }

  @Override
  public int discard(List<DeadLetter.Id> letters) {
    return call("discard dead letters", connection -> moves.discard(connection, letters));
  }

  @Override
  public int purge(Duration retention, int atMost) {
    Map<String, Object> values = Map.of("retention", retention, "limit", atMost);
    return call(
        "purge dead letters",
        connection -> sql.update(connection, DeadStatement.PURGE_DEAD, values));
  }

  /** A search by error reads all letters of its topic, or of all topics. */
  private <T> T found(Filter filter, String what, Session.Work<T> search) {
    try {
      return call(what, search);
    } catch (StoreException e) {
      throw e.isSlow()
          ? StoreException.slow(
              "the search took too long; %s: %s".formatted(remedy(filter), e.getMessage()),
              e.getCause())
          : e;
    }
  }

  private static String remedy(Filter slow) {
    if (slow.topic() == null) {
      return slow.key() == null
          ? "name a topic, or a topic and a key, for which there are indexes"
          : "name the topic of the key too, because the index is of both";
    }
    if (slow.key() == null) {
      return "name a key too, for which there is an index";
    }
    boolean reads = slow.error() != null || slow.reason() != null || slow.olderThan() != null;
    return reads
        ? "name topic and key only, for which there is an index"
        : "ask again when the database has less to do";
  }

  private <T> T call(String what, Session.Work<T> work) {
    return Session.once(dataSource, sql, limits, what, work);
  }
}
