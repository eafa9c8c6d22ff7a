package dev.outbox.jdbc.internal.once;

import dev.outbox.StoreException;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.session.CallerCheck;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.OnceStatement;
import dev.outbox.message.MessageId;
import dev.outbox.spi.DedupeKey;
import dev.outbox.spi.DedupeStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import javax.sql.DataSource;

/**
 * The keys of messages that are enqueued once.
 *
 * <p>Safe for use by many threads.
 */
public final class DedupeTable implements DedupeStore {
  private static final String COLUMNS =
      "SELECT topic, dedupe_key, message_id, created_at, expires_at FROM {dedupe} WHERE 1 = 0";

  private static final String SLOTS = "SELECT slot FROM {dedupe_slot} WHERE 1 = 0";

  private static final String REMEDY =
      "dedupeKey(..) needs a table that is missing or of an older form; run"
          + " Schema.builder(dataSource).with(Schema.Part.DEDUPE).create(), or apply"
          + " dev/outbox/jdbc/ddl/%s/dedupe.sql. The database says: ";

  /** How often a key may slip away between a look at it and its taking. */
  private static final int ATTEMPTS = 20;

  private static final String GRANTS = "SELECT, INSERT, UPDATE ON {dedupe}";

  private final DataSource dataSource;
  private final Sql sql;
  private final Dialect dialect;
  private final Limits limits;
  private final CallerCheck callerCheck;
  private final OptionalTable table;
  private final InsertSlots insertSlots;
  private final UniqueInsert rows;

  public DedupeTable(DataSource dataSource, Sql sql, Limits limits, CallerCheck callerCheck) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.dialect = sql.dialect();
    this.limits = limits;
    this.callerCheck = callerCheck;
    this.insertSlots = new InsertSlots(sql, OnceStatement.DEDUPE_SLOTS);
    this.table = new OptionalTable(sql, REMEDY);
    this.rows = new UniqueInsert(sql);
  }

  /** What is known of a taken key. */
  private record Taken(MessageId id, boolean expired) {}

  @Override
  public Map<DedupeKey, MessageId> take(
      Connection transaction, SortedMap<DedupeKey, MessageId> ids, Duration keep) {
    try {
      callerCheck.check(transaction);
      table.require(transaction, insertSlots.looks(COLUMNS, SLOTS));
      insertSlots.lock(
          transaction, ids.keySet().stream().map(key -> key.topic() + "\n" + key.value()));
      return takeAll(transaction, ids, keep);
    } catch (SQLException e) {
      throw callerCheck.refusal(transaction, "enqueue once", GRANTS, e);
    }
  }

  private Map<DedupeKey, MessageId> takeAll(
      Connection transaction, SortedMap<DedupeKey, MessageId> ids, Duration keep)
      throws SQLException {
    List<Map.Entry<DedupeKey, MessageId>> wanted = List.copyOf(ids.entrySet());
    List<Map<String, Object>> values =
        wanted.stream().map(each -> values(each.getKey(), each.getValue(), keep)).toList();
    Map<DedupeKey, MessageId> taken = new HashMap<>(ids);
    rows.insert(
        transaction,
        sql.statements().once(OnceStatement.INSERT_KEYS),
        values,
        i -> {
          Map.Entry<DedupeKey, MessageId> each = wanted.get(i);
          taken.put(
              each.getKey(), taken(transaction, each.getKey(), each.getValue(), values.get(i)));
        });
    return taken;
  }

  /** The id of a key that was there: of the first message, or ours when it has expired since. */
  private MessageId taken(
      Connection transaction, DedupeKey key, MessageId own, Map<String, Object> values)
      throws SQLException {
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      List<Taken> found =
          rows.query(
              transaction, sql.statements().text(OnceStatement.TAKEN_KEY), values, this::taken);
      if (!found.isEmpty() && !found.get(0).expired()) {
        return found.get(0).id();
      }
      boolean ours =
          found.isEmpty()
              ? rows.insertOne(
                  transaction, sql.statements().once(OnceStatement.INSERT_KEYS), values)
              : rows.update(transaction, sql.statements().text(OnceStatement.RETAKE_KEY), values)
                  == 1;
      if (ours) {
        return own;
      }
    }
    throw StoreException.contended(
        "%s is taken, and by whom this transaction cannot see: at an isolation above READ COMMITTED begin a new one"
            .formatted(key),
        null);
  }

  private Taken taken(ResultSet row) throws SQLException {
    return new Taken(
        dialect.messageId(row, row.findColumn("message_id")), row.getInt("expired") == 1);
  }

  private static Map<String, Object> values(DedupeKey key, MessageId id, Duration keep) {
    return Map.of("topic", key.topic(), "dedupe_key", key.value(), "message_id", id, "keep", keep);
  }

  @Override
  public int purge(int atMost) {
    return OncePurge.run(
        dataSource,
        sql,
        limits,
        "purge dedupe keys",
        sql.statements().purge(OnceStatement.PURGE_KEYS),
        atMost);
  }
}
