package dev.outbox.jdbc.internal.once;

import dev.outbox.jdbc.dialect.Limits;
import dev.outbox.jdbc.internal.session.CallerCheck;
import dev.outbox.jdbc.internal.session.Sql;
import dev.outbox.jdbc.sql.OnceStatement;
import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * The receipts of consumers.
 *
 * <p>Safe for use by many threads.
 */
public final class Receipts {
  private static final String COLUMNS =
      "SELECT consumer, message_id, received_at, expires_at FROM {receipt} WHERE 1 = 0";

  private static final String SLOTS = "SELECT slot FROM {receipt_slot} WHERE 1 = 0";

  private static final String REMEDY =
      "the inbox needs a table that is missing or of an older form; run"
          + " Schema.builder(dataSource).only(Schema.Part.RECEIPT).create(), or apply"
          + " dev/outbox/jdbc/ddl/%s/receipt.sql. The database says: ";

  private static final String GRANTS = "SELECT, INSERT ON {receipt}";

  private final Sql sql;
  private final CallerCheck callerCheck;
  private final OptionalTable table;
  private final InsertSlots insertSlots;
  private final UniqueInsert rows;

  public Receipts(Sql sql, CallerCheck callerCheck) {
    this.sql = sql;
    this.callerCheck = callerCheck;
    this.insertSlots = new InsertSlots(sql, OnceStatement.RECEIPT_SLOTS);
    this.table = new OptionalTable(sql, REMEDY);
    this.rows = new UniqueInsert(sql);
  }

  /** Writes those that are not there; returns them. */
  public Set<MessageId> receive(
      Connection transaction, String consumer, List<MessageId> ids, Duration keep) {
    List<MessageId> ascending = List.copyOf(new TreeSet<>(ids));
    try {
      callerCheck.check(transaction);
      table.require(transaction, insertSlots.looks(COLUMNS, SLOTS));
      insertSlots.lock(transaction, ascending.stream().map(id -> id + " " + consumer));
      Set<MessageId> fresh = new TreeSet<>(ascending);
      rows.insert(
          transaction,
          sql.statements().once(OnceStatement.INSERT_RECEIPTS),
          ascending.stream().map(id -> values(consumer, id, keep)).toList(),
          i -> fresh.remove(ascending.get(i)));
      return fresh;
    } catch (SQLException e) {
      throw callerCheck.refusal(transaction, "receive", GRANTS, e);
    }
  }

  private static Map<String, Object> values(String consumer, MessageId id, Duration keep) {
    return Map.of("consumer", consumer, "message_id", id, "keep", keep);
  }

  /** Deletes those that were to be kept no longer; returns how many. */
  public int purge(DataSource dataSource, Limits limits, int atMost) {
    return OncePurge.run(
        dataSource,
        sql,
        limits,
        "purge receipts",
        sql.statements().purge(OnceStatement.PURGE_RECEIPTS),
        atMost);
  }
}
