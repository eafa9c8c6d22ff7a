package dev.outbox.jdbc.internal.message;

import dev.outbox.cluster.Origin;
import dev.outbox.jdbc.dialect.Dialect;
import dev.outbox.jdbc.internal.session.ClusterScope;
import dev.outbox.jdbc.internal.session.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/**
 * Where the columns of messages are in a result: looked up once, because by name every value of
 * every row is searched for.
 *
 * <p>Immutable.
 */
public final class MessageColumns {
  private final Dialect dialect;
  private final ClusterScope clusterScope;
  private final int lane;
  private final int id;
  private final int messageId;
  private final int topic;
  private final int key;
  private final int headers;
  private final int contentType;
  private final int payload;
  private final int refTable;
  private final int refId;
  private final int notAfter;
  private final int expired;
  private final int origin;
  private final int createdAt;

  private MessageColumns(ResultSet rows, Sql sql, int origin, int createdAt) throws SQLException {
    this.dialect = sql.dialect();
    this.clusterScope = sql.tables().clusterScope();
    this.lane = rows.findColumn("lane");
    this.id = rows.findColumn("id");
    this.messageId = rows.findColumn("message_id");
    this.topic = rows.findColumn("topic");
    this.key = rows.findColumn("msg_key");
    this.headers = rows.findColumn("headers");
    this.contentType = rows.findColumn("content_type");
    this.payload = rows.findColumn("payload");
    this.refTable = rows.findColumn("ref_table");
    this.refId = rows.findColumn("ref_id");
    this.notAfter = rows.findColumn("not_after");
    this.expired = rows.findColumn("expired");
    this.origin = origin;
    this.createdAt = createdAt;
  }

  /** Of a result with all that it takes to write the rows again. */
  public static MessageColumns all(ResultSet rows, Sql sql) throws SQLException {
    return new MessageColumns(rows, sql, rows.findColumn("origin"), rows.findColumn("created_at"));
  }

  /** Of a result with what it takes to publish the messages: a row is moved where it is. */
  static MessageColumns toPublish(ResultSet rows, Sql sql) throws SQLException {
    return new MessageColumns(rows, sql, sql.tables().clusterScope().originColumn(rows), 0);
  }

  public MessageRow read(ResultSet row) throws SQLException {
    int where = row.getInt(lane);
    Instant end = dialect.instant(row, notAfter);
    return new MessageRow(
        where,
        row.getLong(id),
        dialect.messageId(row, messageId),
        row.getString(topic),
        row.getString(key),
        row.getString(headers),
        row.getString(contentType),
        row.getBytes(payload),
        row.getString(refTable),
        row.getString(refId),
        origin == 0 ? Origin.HERE : clusterScope.origin(row.getInt(origin), where),
        end,
        createdAt == 0 ? null : dialect.instant(row, createdAt),
        end != null && row.getInt(expired) == 1); // to SQL a zero date is a past one
  }
}
