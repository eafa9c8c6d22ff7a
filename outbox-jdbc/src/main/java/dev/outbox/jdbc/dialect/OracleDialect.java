package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of Oracle.
 *
 * <p>Stateless.
 */
public final class OracleDialect implements Dialect {
  private static final String READY =
      """
      SELECT *
      FROM (
        SELECT /*+ INDEX(o (lane id)) */
          o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
          CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <= :inline
            THEN o.headers END AS headers,
          CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <= :inline
            THEN o.payload END AS payload,
          CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline
            THEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) END AS weight,
          CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline
            THEN DBMS_LOB.GETLENGTH(o.payload) END AS bytes,
          o.ref_table, o.ref_id, {origin}o.not_after,
          CASE WHEN o.not_after <= {now} THEN 1 END AS expired
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id > :after
          {past}
        ORDER BY o.id
        FETCH FIRST :limit ROWS ONLY)
      """;

  @Override
  public String name() {
    return "oracle";
  }

  @Override
  public String supported() {
    return "Oracle 19c or newer";
  }

  @Override
  public Match match(Product product) {
    if (!product.name().equals("Oracle")) {
      return Match.OTHER;
    }
    return product.isAtLeast(19, 0, 0) ? Match.SUPPORTED : Match.TOO_OLD;
  }

  @Override
  public boolean readsAlone() {
    return false;
  }

  // no INSERT of several tuples before 23ai; the payload stands before the longer texts, because a
  // value of more than
  // 4000 bytes may not follow a CLOB (ORA-24816)
  @Override
  public AppendSql append() {
    return new AppendSql.Batch(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, content_type, ref_table, ref_id, not_after, payload, headers)
        VALUES
          (:lane, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :not_after, :payload, :headers)
        """);
  }

  @Override
  public AppendSql appendDelayed() {
    return new AppendSql.Batch(
        """
        INSERT INTO {delayed}
          (lane, message_id, topic, msg_key, content_type, ref_table, ref_id, not_after, due_at,
          payload, headers)
        VALUES
          (:lane, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :not_after,
          COALESCE(CAST(:due AS TIMESTAMP(6)), {now} + NUMTODSINTERVAL(:delay * 0.000001, 'SECOND')),
          :payload, :headers)
        """);
  }

  @Override
  public boolean isReadOnly(Connection connection) throws SQLException {
    return connection.isReadOnly();
  }

  // rows are locked as they are fetched: ROWNUM would count locked ones too, FETCH FIRST is
  // ORA-02014. The hinted index
  // gives the order; an ORDER BY that becomes a sort would read all rows before the first
  @Override
  public LockSql freeLanes() {
    return new LockSql.OpenCursor(
        """
        SELECT /*+ INDEX(l (lane)) */ lane, epoch, floor, suspect_id, suspect_count,
          CASE WHEN owner IS NULL THEN takeovers ELSE takeovers + 1 END AS takeovers
        FROM {lane} l
        WHERE lane BETWEEN :first AND :last
          AND (owner IS NULL
            OR lease_until <= {now}
            OR lease_until > {now} + NUMTODSINTERVAL(lease_micros * 0.000002, 'SECOND'))
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public LockSql ownLanes() {
    return new LockSql.OpenCursor(
        """
        SELECT /*+ INDEX(l (lane)) */ lane, epoch, floor, suspect_id, suspect_count, takeovers
        FROM {lane} l
        WHERE owner = :owner
        FOR UPDATE SKIP LOCKED
        """);
  }

  // the epoch, because the cursor may have seen the lane before another relay took it
  @Override
  public String leaseLane() {
    return """
        UPDATE {lane}
        SET takeovers = :takeovers,
          owner = :owner,
          epoch = epoch + 1,
          lease_until = {now} + NUMTODSINTERVAL(:lease * 0.000001, 'SECOND'),
          lease_micros = :lease
        WHERE lane = :lane
          AND epoch = :epoch
        """;
  }

  @Override
  public LaneQuery heldKeys() {
    return new LaneQuery.UnionAll(
        """
        SELECT DISTINCT p.lane, p.topic, p.msg_key
        FROM {parked} p
        WHERE p.lane = :lane
          AND p.msg_key IS NOT NULL
        UNION ALL
        SELECT DISTINCT d.lane, d.topic, d.msg_key
        FROM {dead} d
        WHERE d.lane = :lane
          AND d.holds = 1
        """);
  }

  @Override
  public LaneQuery look() {
    return new LaneQuery.UnionAll(
        """
        SELECT CAST(:lane AS NUMBER(10)) AS lane,
          CASE WHEN EXISTS (
            SELECT /*+ INDEX(o (lane id)) */ 1
            FROM {outbox} o
            WHERE o.lane = :lane
              AND o.id > :after) THEN 1 ELSE 0 END AS ready,
          CASE WHEN EXISTS (
            SELECT /*+ INDEX(o (lane due_at reason id topic)) */ 1
            FROM {parked} o
            WHERE o.lane = :lane
              AND o.due_at <= {now}
              AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0
              AND NOT EXISTS (
                SELECT 1
                FROM {parked} e
                WHERE e.lane = o.lane
                  AND e.topic = o.topic
                  AND e.msg_key = o.msg_key
                  AND e.id < o.id)
              AND NOT EXISTS (
                SELECT 1
                FROM {dead} d
                WHERE d.lane = o.lane
                  AND d.holds = 1
                  AND d.topic = o.topic
                  AND d.msg_key = o.msg_key
                  AND d.id < o.id)) THEN 1 ELSE 0 END AS due,
          CASE WHEN EXISTS (
            SELECT /*+ INDEX(d (lane due_at id)) */ 1
            FROM {delayed} d
            WHERE d.lane = :lane
              AND d.due_at <= {now}) THEN 1 ELSE 0 END AS later
        FROM DUAL
        """,
        """
        SELECT -1 AS lane, COUNT(*) AS ready, 0 AS due, 0 AS later
        FROM {lane}
        WHERE owner IS NULL
          OR lease_until <= {now}
          OR lease_until > {now} + NUMTODSINTERVAL(lease_micros * 0.000002, 'SECOND')
        """);
  }

  // the statistics of a queue table are seldom those of the moment: the hints keep to the index
  // that gives the order
  @Override
  public LaneQuery ready() {
    return new LaneQuery.UnionAll(READY.replace("{past}", ""));
  }

  @Override
  public LaneQuery readyPast() {
    return new LaneQuery.UnionAll(
        READY.replace(
            "{past}",
            """
            AND o.id <= :after + :reach
            AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0
            """));
  }

  @Override
  public KeyQuery readyBodies() {
    return new KeyQuery.UnionAll(
        """
        SELECT o.lane, o.id, o.payload, o.headers
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
        """);
  }

  @Override
  public String newest() {
    return """
        SELECT MAX(n.id) AS newest
        FROM (
          SELECT (
            SELECT MAX(o.id)
            FROM {outbox} o
            WHERE o.lane = l.lane
              AND o.id > :above) AS id
          FROM {lane} l) n
        """;
  }

  // last_number is the end of the cached numbers: ids that went back by less are not seen
  @Override
  public NextIdSql nextId() {
    return new NextIdSql.Told(
        """
        SELECT s.last_number AS next
        FROM all_tab_identity_cols i
        JOIN all_sequences s
          ON s.sequence_owner = i.owner AND s.sequence_name = i.sequence_name
        WHERE i.owner = COALESCE(UPPER(:schema), SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA'))
          AND i.table_name = UPPER(:name)
          AND i.column_name = UPPER('{column}')
        """);
  }

  @Override
  public String highestId() {
    return """
        SELECT GREATEST(
          COALESCE((SELECT MAX(l.floor) FROM {lane} l), 0),
          COALESCE((
            SELECT MAX(n.id)
            FROM (
              SELECT (
                SELECT MAX(o.id)
                FROM {outbox} o
                WHERE o.lane = l.lane
                  AND o.id >= :next) AS id
              FROM {lane} l) n), 0),
          COALESCE((
            SELECT MAX(n.id)
            FROM (
              SELECT (
                SELECT MAX(p.id)
                FROM {parked} p
                WHERE p.lane = l.lane
                  AND p.id >= :next) AS id
              FROM {lane} l) n), 0),
          COALESCE((
            SELECT MAX(d.id)
            FROM (
              SELECT id
              FROM {dead}
              ORDER BY dead_id DESC
              FETCH FIRST :most ROWS ONLY) d), 0)) AS highest
        FROM DUAL
        """;
  }

  @Override
  public String highestArchived() {
    return """
        SELECT MAX(n.id) AS highest
        FROM (
          SELECT (
            SELECT MAX(a.id)
            FROM {archive} a
            WHERE a.lane = l.lane
              AND a.id >= :next) AS id
          FROM {lane} l) n
        """;
  }

  @Override
  public String raiseNextId() {
    return """
        ALTER TABLE {table} MODIFY {column} GENERATED BY DEFAULT ON NULL AS IDENTITY (START WITH {next} CACHE 1000 ORDER)
        """;
  }

  @Override
  public FenceSql fence() {
    return new FenceSql.EachLane(
        """
        UPDATE {lane}
        SET settles = settles + 1,
          floor = :floor,
          takeovers = takeovers * :keep,
          suspect_id = CASE WHEN :keep = 1 THEN suspect_id END,
          suspect_count = suspect_count * :keep,
          lease_until = CASE WHEN :free = 1 THEN NULL
            ELSE {now} + NUMTODSINTERVAL(:lease * 0.000001, 'SECOND') END,
          owner = CASE WHEN :free = 1 THEN NULL ELSE owner END
        WHERE lane = :lane
          AND owner = :owner
          AND epoch = :epoch
        """);
  }

  @Override
  public String suspect() {
    return """
        UPDATE {lane}
        SET suspect_count = CASE WHEN EXISTS (
              SELECT 1
              FROM {outbox} o
              WHERE o.lane = :lane
                AND o.id = :id
                AND o.message_id = :message_id)
            OR EXISTS (
              SELECT 1
              FROM {parked} p
              WHERE p.lane = :lane
                AND p.id = :id
                AND p.message_id = :message_id)
            THEN CASE WHEN suspect_id = :id THEN suspect_count + 1 ELSE 1 END
            ELSE suspect_count END,
          suspect_id = CASE WHEN EXISTS (
              SELECT 1
              FROM {outbox} o
              WHERE o.lane = :lane
                AND o.id = :id
                AND o.message_id = :message_id)
            OR EXISTS (
              SELECT 1
              FROM {parked} p
              WHERE p.lane = :lane
                AND p.id = :id
                AND p.message_id = :message_id)
            THEN :id ELSE suspect_id END
        WHERE lane = :lane
          AND owner = :owner
          AND epoch = :epoch
        """;
  }

  // no session setting limits a lock wait, and WAIT takes no bound value
  @Override
  public String holdLane() {
    return """
        SELECT lane
        FROM {lane}
        WHERE lane = :lane
          AND owner = :owner
          AND epoch = :epoch
        FOR UPDATE WAIT 5
        """;
  }

  @Override
  public String lockLane() {
    return """
        SELECT lane
        FROM {lane}
        WHERE lane = :lane
        FOR UPDATE WAIT 5
        """;
  }

  @Override
  public ByIds deleteReady() {
    return new ByIds.EachRow(
        """
        DELETE FROM {outbox}
        WHERE lane = :lane
          AND id = :id
          AND message_id = :message_id
        """);
  }

  @Override
  public ByIds deleteParked() {
    return new ByIds.EachRow(
        """
        DELETE FROM {parked}
        WHERE lane = :lane
          AND id = :id
          AND message_id = :message_id
          AND cluster_id = {cluster}
        """);
  }

  @Override
  public ByIds deleteAnyParked() {
    return new ByIds.EachRow(
        """
        DELETE FROM {parked}
        WHERE lane = :lane
          AND id = :id
          AND message_id = :message_id
        """);
  }

  @Override
  public ByIds archiveReady() {
    return new ByIds.EachRow(
        """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, {now}
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
        """);
  }

  @Override
  public ByIds archiveParked() {
    return new ByIds.EachRow(
        """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, {now}
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
          AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public KeyQuery takenArchive() {
    return new KeyQuery.UnionAll(
        """
        SELECT t.lane, t.id
        FROM {archive} t
        WHERE t.lane = :lane
          AND t.id = :id
        """);
  }

  @Override
  public KeyQuery behind() {
    return new KeyQuery.UnionAll(
        """
        SELECT o.lane, o.id
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
          AND (EXISTS (
              SELECT 1
              FROM {parked} e
              WHERE e.lane = o.lane
                AND e.topic = o.topic
                AND e.msg_key = o.msg_key
                AND e.id < o.id)
            OR EXISTS (
              SELECT 1
              FROM {dead} d
              WHERE d.lane = o.lane
                AND d.holds = 1
                AND d.topic = o.topic
                AND d.msg_key = o.msg_key
                AND d.id < o.id))
        """);
  }

  @Override
  public ByIds parkReady() {
    return new ByIds.EachRow(
        """
        INSERT INTO {parked}
          (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, first_failed_at, due_at, last_error, history)
        SELECT o.lane, :parked_as, {cluster}, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          :reason, :attempts, CASE WHEN :attempts > 0 THEN {now} END,
          {now} + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND'), :error, :history
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
        """);
  }

  @Override
  public KeyQuery takenParked() {
    return new KeyQuery.UnionAll(
        """
        SELECT t.lane, t.id
        FROM {parked} t
        WHERE t.lane = :lane
          AND t.id = :id
          AND t.cluster_id = {cluster}
        """);
  }

  // COALESCE takes its type from the first value, and a CLOB does not fit into a string
  @Override
  public ByIds reschedule() {
    return new ByIds.EachRow(
        """
        UPDATE {parked} p
        SET reason = :reason,
          attempts = :attempts,
          first_failed_at = COALESCE(p.first_failed_at, CASE WHEN :attempts > 0 THEN {now} END),
          due_at = {now} + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND'),
          last_error = COALESCE(TO_CLOB(:error), p.last_error),
          history = :history
        WHERE p.lane = :lane
          AND p.id = :id
          AND p.message_id = :message_id
          AND p.cluster_id = {cluster}
        """);
  }

  @Override
  public ByIds buryReady() {
    return new ByIds.EachRow(
        """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, last_error, history, died_at, holds)
        SELECT {cluster}, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          :reason, :attempts, :error, :history, {now}, :holds
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
        """);
  }

  @Override
  public ByIds buryParked() {
    return new ByIds.EachRow(
        """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, last_error, history, died_at, holds)
        SELECT {cluster}, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          :reason, :attempts, :error, :history, {now}, :holds
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
          AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public KeyQuery heads() {
    return new KeyQuery.UnionAll(
        """
        SELECT CAST(:n AS NUMBER(10)) AS n, (
          SELECT p.id
          FROM {parked} p
          WHERE p.lane = :lane
            AND p.topic = :topic
            AND p.msg_key = :msg_key
          ORDER BY p.id
          FETCH FIRST 1 ROW ONLY) AS id, (
          SELECT d.id
          FROM {dead} d
          WHERE d.lane = :lane
            AND d.holds = 1
            AND d.topic = :topic
            AND d.msg_key = :msg_key
          ORDER BY d.id
          FETCH FIRST 1 ROW ONLY) AS hold
        FROM DUAL
        """);
  }

  @Override
  public ByIds wakeHeads() {
    return new ByIds.EachRow(
        """
        UPDATE {parked}
        SET due_at = {now}
        WHERE lane = :lane
          AND id = :id
          AND cluster_id = {cluster}
          AND due_at IS NULL
        """);
  }

  @Override
  public LaneQuery dueHeads() {
    return new LaneQuery.UnionAll(
        """
        SELECT *
        FROM (
          SELECT /*+ INDEX(o (lane due_at reason id topic)) */
            o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
            CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)
                + NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline
              THEN o.headers END AS headers,
            CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)
                + NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline
              THEN o.payload END AS payload,
            CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)
                + NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline
              THEN o.history END AS history,
            NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)
              + NVL(DBMS_LOB.GETLENGTH(o.history), 0) AS weight,
            NVL(DBMS_LOB.GETLENGTH(o.payload), 0) AS bytes,
            o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
            CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
            EXTRACT(DAY FROM {now} - o.first_failed_at) * 86400000000
              + EXTRACT(HOUR FROM {now} - o.first_failed_at) * 3600000000
              + EXTRACT(MINUTE FROM {now} - o.first_failed_at) * 60000000
              + EXTRACT(SECOND FROM {now} - o.first_failed_at) * 1000000 AS failing
          FROM {parked} o
          WHERE o.lane = :lane
            AND o.due_at <= {now}
            AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0
            AND NOT EXISTS (
              SELECT 1
              FROM {parked} e
              WHERE e.lane = o.lane
                AND e.topic = o.topic
                AND e.msg_key = o.msg_key
                AND e.id < o.id)
            AND NOT EXISTS (
              SELECT 1
              FROM {dead} d
              WHERE d.lane = o.lane
                AND d.holds = 1
                AND d.topic = o.topic
                AND d.msg_key = o.msg_key
                AND d.id < o.id)
          ORDER BY o.due_at, o.reason, o.id
          FETCH FIRST :limit ROWS ONLY)
        """);
  }

  @Override
  public KeyQuery followers() {
    return new KeyQuery.UnionAll(
        """
        SELECT *
        FROM (
          SELECT /*+ INDEX(o (lane topic msg_key id)) */
            o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
            CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)
                + NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline
              THEN o.headers END AS headers,
            CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)
                + NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline
              THEN o.payload END AS payload,
            CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)
                + NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline
              THEN o.history END AS history,
            NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0)
              + NVL(DBMS_LOB.GETLENGTH(o.history), 0) AS weight,
            NVL(DBMS_LOB.GETLENGTH(o.payload), 0) AS bytes,
            o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
            CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
            EXTRACT(DAY FROM {now} - o.first_failed_at) * 86400000000
              + EXTRACT(HOUR FROM {now} - o.first_failed_at) * 3600000000
              + EXTRACT(MINUTE FROM {now} - o.first_failed_at) * 60000000
              + EXTRACT(SECOND FROM {now} - o.first_failed_at) * 1000000 AS failing
          FROM {parked} o
          WHERE o.lane = :lane
            AND o.topic = :topic
            AND o.msg_key = :msg_key
            AND o.id > :id
            AND o.id < COALESCE((
              SELECT d.id
              FROM {dead} d
              WHERE d.lane = :lane
                AND d.holds = 1
                AND d.topic = :topic
                AND d.msg_key = :msg_key
              ORDER BY d.id
              FETCH FIRST 1 ROW ONLY), 9223372036854775807)
          ORDER BY o.id
          FETCH FIRST :limit ROWS ONLY)
        """);
  }

  @Override
  public KeyQuery dueBodies() {
    return new KeyQuery.UnionAll(
        """
        SELECT o.lane, o.id, o.payload, o.headers, o.history
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
          AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public LaneQuery releasable() {
    return new LaneQuery.UnionAll(
        """
        SELECT *
        FROM (
          SELECT /*+ INDEX(o (lane due_at reason id topic)) */ o.lane, o.id
          FROM {parked} o
          WHERE o.lane = :lane
            AND o.due_at IS NULL
            AND o.reason = 'TOPIC'
            AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0
          ORDER BY o.id
          FETCH FIRST :limit ROWS ONLY)
        """);
  }

  @Override
  public LaneQuery dueDelayed() {
    return new LaneQuery.UnionAll(
        """
        SELECT *
        FROM (
          SELECT /*+ INDEX(d (lane due_at id)) */ d.lane, d.id, d.due_at
          FROM {delayed} d
          WHERE d.lane = :lane
            AND d.due_at <= {now}
          ORDER BY d.due_at, d.id
          FETCH FIRST :limit ROWS ONLY)
        """);
  }

  @Override
  public ByIds promote() {
    return new ByIds.EachRow(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at
        FROM {delayed} d
        WHERE d.id = :id
        """);
  }

  @Override
  public ByIds deleteDelayed() {
    return new ByIds.EachRow(
        """
        DELETE FROM {delayed} d
        WHERE d.id = :id
        """);
  }

  @Override
  public ClaimSql claimReady() {
    return new ClaimSql.LockThenDelete(
        new LockSql.OpenCursor(
            """
            SELECT /*+ INDEX(o (lane id)) */
              o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
              o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
              CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired
            FROM {outbox} o
            WHERE o.lane = 0
              AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0
            FOR UPDATE SKIP LOCKED
            """),
        deleteReady());
  }

  @Override
  public ClaimSql claimDue() {
    return new ClaimSql.LockThenDelete(
        new LockSql.OpenCursor(
            """
            SELECT /*+ INDEX(o (lane due_at reason id topic)) */
              o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
              o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
              CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
              o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
              EXTRACT(DAY FROM {now} - o.first_failed_at) * 86400000000
                + EXTRACT(HOUR FROM {now} - o.first_failed_at) * 3600000000
                + EXTRACT(MINUTE FROM {now} - o.first_failed_at) * 60000000
                + EXTRACT(SECOND FROM {now} - o.first_failed_at) * 1000000 AS failing
            FROM {parked} o
            WHERE o.lane = 0
              AND o.due_at <= {now}
              AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0
            FOR UPDATE SKIP LOCKED
            """),
        deleteParked());
  }

  @Override
  public LockSql claimReleasable() {
    return new LockSql.OpenCursor(
        """
        SELECT /*+ INDEX(o (lane due_at reason id topic)) */ o.lane, o.id
        FROM {parked} o
        WHERE o.lane = 0
          AND o.due_at IS NULL
          AND o.reason = 'TOPIC'
          AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public LockSql claimDelayed() {
    return new LockSql.OpenCursor(
        """
        SELECT /*+ INDEX(d (lane due_at id)) */ lane, id, due_at
        FROM {delayed} d
        WHERE lane = 0
          AND due_at <= {now}
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public String putReady() {
    return """
        INSERT INTO {outbox}
          (lane, id, message_id, topic, msg_key, content_type,
          ref_table, ref_id, origin, not_after, created_at, payload, headers)
        VALUES
          (:lane, :id, :message_id, :topic, :msg_key, :content_type,
          :ref_table, :ref_id, :origin, :not_after, :created_at, :payload, :headers)
        """;
  }

  @Override
  public String putParked() {
    return """
        INSERT INTO {parked}
          (lane, id, cluster_id, message_id, topic, msg_key, content_type,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, first_failed_at, due_at, payload, headers, last_error, history)
        VALUES
          (:lane, :id, {cluster}, :message_id, :topic, :msg_key, :content_type,
          :ref_table, :ref_id, :origin, :not_after, :created_at,
          :reason, :attempts,
          COALESCE(CAST(:first_failed_at AS TIMESTAMP(6)), CASE WHEN :attempts > 0 THEN {now} END),
          COALESCE(CAST(:due AS TIMESTAMP(6)), {now} + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND')),
          :payload, :headers, :error, :history)
        """;
  }

  @Override
  public String putDead() {
    return """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, content_type,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, died_at, holds, payload, headers, last_error, history)
        VALUES
          ({cluster}, :lane, :id, :message_id, :topic, :msg_key, :content_type,
          :ref_table, :ref_id, :origin, :not_after, :created_at,
          :reason, :attempts, {now}, :holds, :payload, :headers, :error, :history)
        """;
  }

  @Override
  public String putArchive() {
    return """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, content_type,
          ref_table, ref_id, origin, not_after, created_at, completed_at, payload, headers)
        VALUES
          (:lane, :id, :message_id, :topic, :msg_key, :content_type,
          :ref_table, :ref_id, :origin, :not_after, :created_at, {now}, :payload, :headers)
        """;
  }

  @Override
  public DeadSql dead() {
    return new DeadSql(
        """
        SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, 0 AS expired,
          reason, attempts, last_error, history, died_at, holds
        FROM {dead}
        WHERE {mine}dead_id > :after
          AND (CAST(:msg_key AS VARCHAR2(255 CHAR)) IS NULL OR msg_key = CAST(:msg_key AS VARCHAR2(255 CHAR)))
          AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR)))
          AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= {now} - NUMTODSINTERVAL(:older * 0.000001, 'SECOND'))
        ORDER BY dead_id
        FETCH FIRST :limit ROWS ONLY
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}(CAST(:msg_key AS VARCHAR2(255 CHAR)) IS NULL OR msg_key = CAST(:msg_key AS VARCHAR2(255 CHAR)))
            AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR)))
            AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= {now} - NUMTODSINTERVAL(:older * 0.000001, 'SECOND'))
          FETCH FIRST :bound ROWS ONLY) counted
        """);
  }

  @Override
  public DeadSql deadOfTopic() {
    return new DeadSql(
        """
        SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, 0 AS expired,
          reason, attempts, last_error, history, died_at, holds
        FROM {dead}
        WHERE {mine}topic = :topic
          AND dead_id > :after
          AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR)))
          AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= {now} - NUMTODSINTERVAL(:older * 0.000001, 'SECOND'))
        ORDER BY dead_id
        FETCH FIRST :limit ROWS ONLY
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}topic = :topic
            AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR)))
            AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= {now} - NUMTODSINTERVAL(:older * 0.000001, 'SECOND'))
          FETCH FIRST :bound ROWS ONLY) counted
        """);
  }

  @Override
  public DeadSql deadOfKey() {
    return new DeadSql(
        """
        SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, 0 AS expired,
          reason, attempts, last_error, history, died_at, holds
        FROM {dead}
        WHERE {mine}topic = :topic
          AND msg_key = :msg_key
          AND dead_id > :after
          AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR)))
          AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= {now} - NUMTODSINTERVAL(:older * 0.000001, 'SECOND'))
        ORDER BY dead_id
        FETCH FIRST :limit ROWS ONLY
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}topic = :topic
            AND msg_key = :msg_key
            AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR)))
            AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= {now} - NUMTODSINTERVAL(:older * 0.000001, 'SECOND'))
          FETCH FIRST :bound ROWS ONLY) counted
        """);
  }

  @Override
  public KeyQuery holders() {
    return new KeyQuery.UnionAll(
        """
        SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
        FROM {dead} d
        WHERE d.dead_id = :id
          AND d.message_id = :message_id
          AND d.cluster_id = {cluster}
          AND d.holds = 1
        """);
  }

  @Override
  public ByIds replay() {
    return new ByIds.EachRow(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at
        FROM {dead} d
        WHERE d.dead_id = :id
          AND d.message_id = :message_id
          AND d.cluster_id = {cluster}
        """);
  }

  @Override
  public ByIds replayHolders() {
    return new ByIds.EachRow(
        """
        INSERT INTO {parked}
          (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, due_at, last_error, history)
        SELECT d.lane, d.id, {cluster}, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at,
          'FAILED', 0, {now}, d.last_error, d.history
        FROM {dead} d
        WHERE d.dead_id = :id
          AND d.message_id = :message_id
          AND d.cluster_id = {cluster}
          AND d.holds = 1
        """);
  }

  @Override
  public ByIds deleteDead() {
    return new ByIds.EachRow(
        """
        DELETE FROM {dead} d
        WHERE d.dead_id = :id
          AND d.message_id = :message_id
          AND d.cluster_id = {cluster}
        """);
  }

  @Override
  public String purgeDead() {
    return """
        DELETE FROM {dead}
        WHERE died_at <= {now} - NUMTODSINTERVAL(:retention * 0.000001, 'SECOND')
          AND holds = 0
          AND ROWNUM <= :limit
        """;
  }

  @Override
  public String oldArchive() {
    return """
        SELECT MAX(a.completed_at) AS up_to
        FROM (
          SELECT completed_at
          FROM {archive}
          WHERE completed_at >= :from
            AND completed_at <= {now} - NUMTODSINTERVAL(:retention * 0.000001, 'SECOND')
          ORDER BY completed_at
          FETCH FIRST :limit ROWS ONLY) a
        """;
  }

  // along the index, or ROWNUM would leave older ones behind of many that were completed together
  @Override
  public String purgeArchive() {
    return """
        DELETE /*+ INDEX(a (completed_at)) */ FROM {archive} a
        WHERE completed_at >= :from
          AND completed_at <= :up_to
          AND ROWNUM <= :limit
        """;
  }

  @Override
  public SlotSql receiptSlots() {
    return new SlotSql.None();
  }

  // refused as a duplicate (ORA-00001), which undoes the statement alone
  @Override
  public OnceSql insertReceipts() {
    return new OnceSql.Batch(
        """
        INSERT INTO {receipt} (consumer, message_id, received_at, expires_at)
        VALUES (:consumer, :message_id, {now}, {now} + NUMTODSINTERVAL(:keep * 0.000001, 'SECOND'))
        """);
  }

  @Override
  public PurgeSql purgeReceipts() {
    return new PurgeSql.LockThenDelete(
        new LockSql.OpenCursor(
            """
            SELECT consumer, message_id
            FROM {receipt}
            WHERE expires_at <= {now}
            FOR UPDATE SKIP LOCKED
            """),
        """
        DELETE FROM {receipt}
        WHERE consumer = :consumer
          AND message_id = :message_id
        """);
  }

  @Override
  public SlotSql dedupeSlots() {
    return new SlotSql.None();
  }

  @Override
  public OnceSql insertKeys() {
    return new OnceSql.Batch(
        """
        INSERT INTO {dedupe} (topic, dedupe_key, message_id, created_at, expires_at)
        VALUES (:topic, :dedupe_key, :message_id, {now}, {now} + NUMTODSINTERVAL(:keep * 0.000001, 'SECOND'))
        """);
  }

  @Override
  public String takenKey() {
    return """
        SELECT message_id, CASE WHEN expires_at <= {now} THEN 1 ELSE 0 END AS expired
        FROM {dedupe}
        WHERE topic = :topic
          AND dedupe_key = :dedupe_key
        """;
  }

  @Override
  public String retakeKey() {
    return """
        UPDATE {dedupe}
        SET message_id = :message_id,
          created_at = {now},
          expires_at = {now} + NUMTODSINTERVAL(:keep * 0.000001, 'SECOND')
        WHERE topic = :topic
          AND dedupe_key = :dedupe_key
          AND expires_at <= {now}
        """;
  }

  @Override
  public PurgeSql purgeKeys() {
    return new PurgeSql.LockThenDelete(
        new LockSql.OpenCursor(
            """
            SELECT topic, dedupe_key
            FROM {dedupe}
            WHERE expires_at <= {now}
            FOR UPDATE SKIP LOCKED
            """),
        """
        DELETE FROM {dedupe}
        WHERE topic = :topic
          AND dedupe_key = :dedupe_key
        """);
  }

  @Override
  public String beat() {
    return """
        MERGE INTO {relay} r
        USING (SELECT CAST(:relay AS VARCHAR2(255 CHAR)) AS relay FROM DUAL) b
          ON (r.relay = b.relay)
        WHEN MATCHED THEN
          UPDATE SET started_at = CASE WHEN live_until > {now} THEN started_at ELSE {now} END,
            live_until = {now} + NUMTODSINTERVAL(:lifetime * 0.000001, 'SECOND'),
            sharing = :sharing
        WHEN NOT MATCHED THEN
          INSERT (relay, live_until, started_at, sharing)
          VALUES (b.relay, {now} + NUMTODSINTERVAL(:lifetime * 0.000001, 'SECOND'), {now}, :sharing)
        """;
  }

  @Override
  public String liveRelays() {
    return """
        SELECT relay, sharing, started_at
        FROM {relay}
        WHERE live_until > {now}
        """;
  }

  @Override
  public String leave() {
    return """
        DELETE FROM {relay}
        WHERE relay = :relay
        """;
  }

  @Override
  public String forgetRelays() {
    return """
        DELETE FROM {relay}
        WHERE live_until < {now} - INTERVAL '1' DAY
        """;
  }

  @Override
  public String topics() {
    return """
        SELECT topic, paused, strict, rate_limit, in_flight_cap
        FROM {topic}
        """;
  }

  @Override
  public String lockTopic() {
    return """
        SELECT topic, paused, strict, rate_limit, in_flight_cap
        FROM {topic}
        WHERE topic = :topic
        FOR UPDATE WAIT 5
        """;
  }

  @Override
  public String insertTopic() {
    return """
        INSERT INTO {topic} (topic, paused, strict, rate_limit, in_flight_cap)
        VALUES (:topic, :paused, :strict, :rate_limit, :in_flight_cap)
        """;
  }

  @Override
  public String updateTopic() {
    return """
        UPDATE {topic}
        SET paused = :paused,
          strict = :strict,
          rate_limit = :rate_limit,
          in_flight_cap = :in_flight_cap
        WHERE topic = :topic
        """;
  }

  @Override
  public String counts() {
    return """
        SELECT
          (SELECT COUNT(*) FROM (SELECT 1 AS one FROM {outbox}{own} FETCH FIRST :bound ROWS ONLY) r) AS ready,
          (SELECT COUNT(*) FROM (SELECT 1 AS one FROM {parked}{own} FETCH FIRST :bound ROWS ONLY) p) AS parked,
          (SELECT COUNT(*) FROM (SELECT 1 AS one FROM {delayed}{own} FETCH FIRST :bound ROWS ONLY) d) AS later,
          (SELECT COUNT(*) FROM (SELECT 1 AS one FROM {dead}{own} FETCH FIRST :bound ROWS ONLY) x) AS dead
        FROM DUAL
        """;
  }

  @Override
  public String laneStates() {
    return """
        SELECT lane, floor, CASE WHEN lease_until > {now} THEN owner END AS owner
        FROM {lane}
        ORDER BY lane
        """;
  }

  @Override
  public LaneQuery ages() {
    return new LaneQuery.UnionAll(
        """
        SELECT CAST(:lane AS NUMBER(10)) AS lane, (
          SELECT /*+ INDEX(o (lane id)) */ EXTRACT(DAY FROM {now} - o.created_at) * 86400000000
            + EXTRACT(HOUR FROM {now} - o.created_at) * 3600000000
            + EXTRACT(MINUTE FROM {now} - o.created_at) * 60000000
            + EXTRACT(SECOND FROM {now} - o.created_at) * 1000000
          FROM {outbox} o
          WHERE o.lane = :lane
            AND o.id > :after
          ORDER BY o.id
          FETCH FIRST 1 ROW ONLY) AS ready_age, (
          SELECT /*+ INDEX(o (lane due_at reason id topic)) */ EXTRACT(DAY FROM {now} - o.due_at) * 86400000000
            + EXTRACT(HOUR FROM {now} - o.due_at) * 3600000000
            + EXTRACT(MINUTE FROM {now} - o.due_at) * 60000000
            + EXTRACT(SECOND FROM {now} - o.due_at) * 1000000
          FROM {parked} o
          WHERE o.lane = :lane
            AND o.due_at <= {now}
          ORDER BY o.due_at
          FETCH FIRST 1 ROW ONLY) AS due_age
        FROM DUAL
        """);
  }

  // a transaction that has changed something keeps its number until it ends
  @Override
  public WritersSql writers() {
    return new WritersSql.Told(
        """
        SELECT l.inst_id || '.' || l.xidusn || '.' || l.xidslot || '.' || l.xidsqn AS name
        FROM gv$locked_object l
        JOIN all_objects o
          ON o.object_id = l.object_id
        WHERE o.object_type = 'TABLE'
          AND o.owner || '.' || o.object_name = CASE WHEN INSTR('{outbox}', '.') > 0 THEN UPPER('{outbox}')
            ELSE SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') || '.' || UPPER('{outbox}') END
          AND l.locked_mode >= 3
          AND NOT (l.inst_id = SYS_CONTEXT('USERENV', 'INSTANCE')
            AND l.session_id = SYS_CONTEXT('USERENV', 'SID'))
        """,
        Duration.ofMillis(200));
  }

  @Override
  public String layout() {
    return """
        SELECT schema_version, lanes, claiming, clusters, cluster_id
        FROM {meta}
        """;
  }

  // no limit of a session can be set by the session: the profile and MAX_IDLE_BLOCKER_TIME are the
  // administrator's
  @Override
  public LimitSql limits() {
    return new LimitSql(
        """
        SELECT 0 AS nothing FROM DUAL
        """,
        """
        SELECT 0 AS nothing FROM DUAL
        """,
        limits -> Map.of());
  }

  @Override
  public FaultCodes faults() {
    return new FaultCodes(
        Map.ofEntries(
            entry(54, Fault.RETRY),
            entry(60, Fault.RETRY),
            entry(1555, Fault.RETRY),
            entry(4020, Fault.RETRY),
            entry(4021, Fault.RETRY),
            entry(8176, Fault.RETRY),
            entry(8177, Fault.RETRY),
            entry(30006, Fault.RETRY),
            entry(22, Fault.CONNECTION),
            entry(28, Fault.CONNECTION),
            entry(1012, Fault.CONNECTION),
            entry(1033, Fault.CONNECTION),
            entry(1034, Fault.CONNECTION),
            entry(1041, Fault.CONNECTION),
            entry(1089, Fault.CONNECTION),
            entry(1090, Fault.CONNECTION),
            entry(1092, Fault.CONNECTION),
            entry(2396, Fault.CONNECTION),
            entry(2399, Fault.CONNECTION),
            entry(3113, Fault.CONNECTION),
            entry(3114, Fault.CONNECTION),
            entry(3135, Fault.CONNECTION),
            entry(12170, Fault.CONNECTION),
            entry(12505, Fault.CONNECTION),
            entry(12514, Fault.CONNECTION),
            entry(12516, Fault.CONNECTION),
            entry(12518, Fault.CONNECTION),
            entry(12519, Fault.CONNECTION),
            entry(12520, Fault.CONNECTION),
            entry(12528, Fault.CONNECTION),
            entry(12537, Fault.CONNECTION),
            entry(12541, Fault.CONNECTION),
            entry(12543, Fault.CONNECTION),
            entry(12547, Fault.CONNECTION),
            entry(12570, Fault.CONNECTION),
            entry(12571, Fault.CONNECTION),
            entry(17002, Fault.CONNECTION),
            entry(17008, Fault.CONNECTION),
            entry(17410, Fault.CONNECTION),
            entry(17447, Fault.CONNECTION),
            entry(17800, Fault.CONNECTION),
            entry(18730, Fault.CONNECTION),
            entry(25401, Fault.CONNECTION),
            entry(25402, Fault.CONNECTION),
            entry(25408, Fault.CONNECTION),
            entry(18, Fault.PASSING),
            entry(20, Fault.PASSING),
            entry(257, Fault.PASSING),
            entry(1013, Fault.SLOW),
            entry(1536, Fault.PASSING),
            entry(1652, Fault.PASSING),
            entry(1653, Fault.PASSING),
            entry(1654, Fault.PASSING),
            entry(1688, Fault.PASSING),
            entry(1691, Fault.PASSING),
            entry(4031, Fault.PASSING),
            entry(30036, Fault.PASSING),
            entry(1456, Fault.READ_ONLY),
            entry(16000, Fault.READ_ONLY),
            entry(904, Fault.MISSING),
            entry(942, Fault.MISSING),
            entry(2289, Fault.MISSING),
            entry(1031, Fault.DENIED),
            entry(1950, Fault.DENIED),
            entry(41900, Fault.DENIED),
            entry(1, Fault.DUPLICATE),
            entry(955, Fault.EXISTS),
            entry(1418, Fault.EXISTS),
            entry(1430, Fault.EXISTS),
            entry(2264, Fault.EXISTS),
            entry(2443, Fault.EXISTS),
            entry(1408, Fault.EXISTS)),
        Map.of());
  }

  @Override
  public String clock() {
    return "SYS_EXTRACT_UTC(SYSTIMESTAMP)";
  }

  @Override
  public String boundClock() {
    return "CAST(:now AS TIMESTAMP(6))";
  }

  @Override
  public String now() {
    return """
        SELECT {now} AS now
        FROM DUAL
        """;
  }

  @Override
  public Object bind(MessageId id) {
    return ByteBuffer.allocate(16)
        .putLong(id.value().getMostSignificantBits())
        .putLong(id.value().getLeastSignificantBits())
        .array();
  }

  @Override
  public MessageId messageId(ResultSet row, int column) throws SQLException {
    ByteBuffer bytes = ByteBuffer.wrap(row.getBytes(column));
    return new MessageId(new UUID(bytes.getLong(), bytes.getLong()));
  }

  @Override
  public Object bind(Instant instant) {
    return LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    LocalDateTime value = row.getObject(column, LocalDateTime.class);
    return value == null ? null : value.toInstant(ZoneOffset.UTC);
  }

  @Override
  public String atMost() {
    return "FETCH FIRST :limit ROWS ONLY";
  }

  @Override
  public int maxIdentifier() {
    return 128;
  }

  // a string of up to 1000 characters is at most 4000 bytes, the most that a SELECT list takes
  // (ORA-01461)
  @Override
  public int longestString() {
    return 1000;
  }
}
