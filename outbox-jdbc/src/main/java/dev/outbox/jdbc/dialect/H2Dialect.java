package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of H2, the embedded database.
 *
 * <p>Stateless.
 */
public final class H2Dialect implements Dialect {
  private static final String READY =
      """
      (SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
        CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0) <= :inline
          THEN o.headers END AS headers,
        CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0) <= :inline
          THEN o.payload END AS payload,
        CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0) > :inline
          THEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0) END AS weight,
        CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0) > :inline
          THEN OCTET_LENGTH(o.payload) END AS bytes,
        o.ref_table, o.ref_id, {origin}o.not_after,
        CASE WHEN o.not_after <= {now} THEN 1 END AS expired
      FROM {outbox} o
      WHERE o.lane = :lane
        AND o.id > :after
        {past}
      ORDER BY o.id
      LIMIT :limit)
      """;

  @Override
  public String name() {
    return "h2";
  }

  @Override
  public String supported() {
    return "H2 2.3 or newer";
  }

  @Override
  public Match match(Product product) {
    if (!product.name().equals("H2")) {
      return Match.OTHER;
    }
    return product.isAtLeast(2, 3, 0) ? Match.SUPPORTED : Match.TOO_OLD;
  }

  @Override
  public boolean readsAlone() {
    return false;
  }

  @Override
  public AppendSql append() {
    return new AppendSql.Tuples(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, not_after)
        VALUES
        """,
        """
        (:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table, :ref_id, :not_after)""");
  }

  @Override
  public AppendSql appendDelayed() {
    return new AppendSql.Tuples(
        """
        INSERT INTO {delayed}
          (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, not_after, due_at)
        VALUES
        """,
        """
        (:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
          :ref_table, :ref_id, :not_after,
          COALESCE(CAST(:due AS timestamp(6) with time zone), DATEADD(MICROSECOND, CAST(:delay AS bigint), {now})))""");
  }

  @Override
  public boolean isReadOnly(Connection connection) throws SQLException {
    return connection.isReadOnly();
  }

  // with ORDER BY the limit counts locked rows too, and nothing fills up behind them: the index
  // gives the order
  @Override
  public LockSql freeLanes() {
    return new LockSql.Limited(
        """
        SELECT lane, epoch, floor, suspect_id, suspect_count,
          CASE WHEN owner IS NULL THEN takeovers ELSE takeovers + 1 END AS takeovers
        FROM {lane}
        WHERE lane BETWEEN :first AND :last
          AND (owner IS NULL
            OR lease_until <= {now}
            OR lease_until > DATEADD(MICROSECOND, 2 * lease_micros, {now}))
        LIMIT :limit
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public LockSql ownLanes() {
    return new LockSql.Limited(
        """
        SELECT lane, epoch, floor, suspect_id, suspect_count, takeovers
        FROM {lane}
        WHERE owner = :owner
        LIMIT :limit
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public String leaseLane() {
    return """
        UPDATE {lane}
        SET takeovers = :takeovers,
          owner = :owner,
          epoch = epoch + 1,
          lease_until = DATEADD(MICROSECOND, CAST(:lease AS bigint), {now}),
          lease_micros = CAST(:lease AS bigint)
        WHERE lane = :lane
        """;
  }

  @Override
  public LaneQuery heldKeys() {
    return new LaneQuery.UnionAll(
        """
        (SELECT DISTINCT p.lane, p.topic, p.msg_key
        FROM {parked} p
        WHERE p.lane = :lane
          AND p.msg_key IS NOT NULL)
        UNION ALL
        (SELECT DISTINCT d.lane, d.topic, d.msg_key
        FROM {dead} d
        WHERE d.lane = :lane
          AND d.holds = 1)
        """);
  }

  @Override
  public LaneQuery look() {
    return new LaneQuery.UnionAll(
        """
        (SELECT CAST(:lane AS integer) AS lane,
          CASE WHEN EXISTS (
            SELECT 1
            FROM {outbox} o
            WHERE o.lane = :lane
              AND o.id > :after) THEN 1 ELSE 0 END AS ready,
          CASE WHEN EXISTS (
            SELECT 1
            FROM {parked} o
            WHERE o.lane = :lane
              AND o.due_at <= {now}
              AND LOCATE(CHAR(1) || o.topic || CHAR(1), CAST(:held AS varchar)) = 0
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
            SELECT 1
            FROM {delayed} d
            WHERE d.lane = :lane
              AND d.due_at <= {now}) THEN 1 ELSE 0 END AS later)
        """,
        """
        (SELECT -1 AS lane, COUNT(*) AS ready, 0 AS due, 0 AS later
        FROM {lane}
        WHERE owner IS NULL
          OR lease_until <= {now}
          OR lease_until > DATEADD(MICROSECOND, 2 * lease_micros, {now}))
        """);
  }

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
            AND o.id <= CAST(:after AS bigint) + CAST(:reach AS bigint)
            AND LOCATE(CHAR(1) || o.topic || CHAR(1), CAST(:held AS varchar)) = 0
            """));
  }

  @Override
  public KeyQuery readyBodies() {
    return new KeyQuery.UnionAll(
        """
        (SELECT o.lane, o.id, o.payload, o.headers
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id)
        """);
  }

  // it would count through all that is ready
  @Override
  public String newest() {
    return """
        SELECT CAST(:above AS bigint) AS newest
        """;
  }

  @Override
  public NextIdSql nextId() {
    return new NextIdSql.Told(
        """
        SELECT c.identity_base AS next
        FROM information_schema.columns c
        WHERE c.table_schema = COALESCE(UPPER(CAST(:schema AS varchar)), CURRENT_SCHEMA)
          AND UPPER(c.table_name) = UPPER(:name)
          AND UPPER(c.column_name) = UPPER('{column}')
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
              LIMIT :most) d), 0)) AS highest
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
        ALTER TABLE {table} ALTER COLUMN {column} RESTART WITH {next}
        """;
  }

  @Override
  public FenceSql fence() {
    return new FenceSql.Arrays(
        """
        MERGE INTO {lane} l
        USING (
          SELECT *
          FROM UNNEST(
            CAST(:lanes AS integer array), CAST(:epochs AS bigint array), CAST(:floors AS bigint array),
            CAST(:keeps AS integer array), CAST(:frees AS integer array)) u (lane, epoch, floor, keep, free)) a
          ON l.lane = a.lane AND l.epoch = a.epoch AND l.owner = :owner
        WHEN MATCHED THEN
          UPDATE SET settles = l.settles + 1,
            floor = a.floor,
            takeovers = l.takeovers * a.keep,
            suspect_id = CASE WHEN a.keep = 1 THEN l.suspect_id END,
            suspect_count = l.suspect_count * a.keep,
            lease_until = CASE WHEN a.free = 1 THEN NULL
              ELSE DATEADD(MICROSECOND, CAST(:lease AS bigint), {now}) END,
            owner = CASE WHEN a.free = 1 THEN NULL ELSE l.owner END
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

  @Override
  public String holdLane() {
    return """
        SELECT lane
        FROM {lane}
        WHERE lane = :lane
          AND owner = :owner
          AND epoch = :epoch
        FOR UPDATE
        """;
  }

  @Override
  public String lockLane() {
    return """
        SELECT lane
        FROM {lane}
        WHERE lane = :lane
        FOR UPDATE
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
        (SELECT t.lane, t.id
        FROM {archive} t
        WHERE t.lane = :lane
          AND t.id = :id)
        """);
  }

  @Override
  public KeyQuery behind() {
    return new KeyQuery.UnionAll(
        """
        (SELECT o.lane, o.id
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
                AND d.id < o.id)))
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
        SELECT o.lane, CAST(:parked_as AS bigint), {cluster}, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          :reason, :attempts, CASE WHEN :attempts > 0 THEN {now} END,
          DATEADD(MICROSECOND, CAST(:rest AS bigint), {now}), :error, :history
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
        (SELECT t.lane, t.id
        FROM {parked} t
        WHERE t.lane = :lane
          AND t.id = :id
          AND t.cluster_id = {cluster})
        """);
  }

  @Override
  public ByIds reschedule() {
    return new ByIds.EachRow(
        """
        UPDATE {parked} p
        SET reason = :reason,
          attempts = :attempts,
          first_failed_at = COALESCE(p.first_failed_at, CASE WHEN :attempts > 0 THEN {now} END),
          due_at = DATEADD(MICROSECOND, CAST(:rest AS bigint), {now}),
          last_error = COALESCE(:error, p.last_error),
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
        (SELECT CAST(:n AS integer) AS n, (
          SELECT p.id
          FROM {parked} p
          WHERE p.lane = :lane
            AND p.topic = :topic
            AND p.msg_key = :msg_key
          ORDER BY p.id
          LIMIT 1) AS id, (
          SELECT d.id
          FROM {dead} d
          WHERE d.lane = :lane
            AND d.holds = 1
            AND d.topic = :topic
            AND d.msg_key = :msg_key
          ORDER BY d.id
          LIMIT 1) AS hold)
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
        (SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
          CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)
              + COALESCE(OCTET_LENGTH(o.history), 0) <= :inline
            THEN o.headers END AS headers,
          CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)
              + COALESCE(OCTET_LENGTH(o.history), 0) <= :inline
            THEN o.payload END AS payload,
          CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)
              + COALESCE(OCTET_LENGTH(o.history), 0) <= :inline
            THEN o.history END AS history,
          COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)
            + COALESCE(OCTET_LENGTH(o.history), 0) AS weight,
          COALESCE(OCTET_LENGTH(o.payload), 0) AS bytes,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
          DATEDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.due_at <= {now}
          AND LOCATE(CHAR(1) || o.topic || CHAR(1), CAST(:held AS varchar)) = 0
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
        LIMIT :limit)
        """);
  }

  @Override
  public KeyQuery followers() {
    return new KeyQuery.UnionAll(
        """
        (SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
          CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)
              + COALESCE(OCTET_LENGTH(o.history), 0) <= :inline
            THEN o.headers END AS headers,
          CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)
              + COALESCE(OCTET_LENGTH(o.history), 0) <= :inline
            THEN o.payload END AS payload,
          CASE WHEN COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)
              + COALESCE(OCTET_LENGTH(o.history), 0) <= :inline
            THEN o.history END AS history,
          COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)
            + COALESCE(OCTET_LENGTH(o.history), 0) AS weight,
          COALESCE(OCTET_LENGTH(o.payload), 0) AS bytes,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
          DATEDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
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
            LIMIT 1), 9223372036854775807)
        ORDER BY o.id
        LIMIT :limit)
        """);
  }

  @Override
  public KeyQuery dueBodies() {
    return new KeyQuery.UnionAll(
        """
        (SELECT o.lane, o.id, o.payload, o.headers, o.history
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.message_id = :message_id
          AND o.cluster_id = {cluster})
        """);
  }

  @Override
  public LaneQuery releasable() {
    return new LaneQuery.UnionAll(
        """
        (SELECT o.lane, o.id
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.due_at IS NULL
          AND o.reason = 'TOPIC'
          AND LOCATE(CHAR(1) || o.topic || CHAR(1), CAST(:held AS varchar)) = 0
        ORDER BY o.id
        LIMIT :limit)
        """);
  }

  @Override
  public LaneQuery dueDelayed() {
    return new LaneQuery.UnionAll(
        """
        (SELECT d.lane, d.id, d.due_at
        FROM {delayed} d
        WHERE d.lane = :lane
          AND d.due_at <= {now}
        ORDER BY d.due_at, d.id
        LIMIT :limit)
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
        new LockSql.Limited(
            """
            SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
              o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
              CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired
            FROM {outbox} o
            WHERE o.lane = 0
              AND LOCATE(CHAR(1) || o.topic || CHAR(1), CAST(:held AS varchar)) = 0
            LIMIT :limit
            FOR UPDATE SKIP LOCKED
            """),
        deleteReady());
  }

  @Override
  public ClaimSql claimDue() {
    return new ClaimSql.LockThenDelete(
        new LockSql.Limited(
            """
            SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
              o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
              CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
              o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
              DATEDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
            FROM {parked} o
            WHERE o.lane = 0
              AND o.due_at <= {now}
              AND LOCATE(CHAR(1) || o.topic || CHAR(1), CAST(:held AS varchar)) = 0
            LIMIT :limit
            FOR UPDATE SKIP LOCKED
            """),
        deleteParked());
  }

  @Override
  public LockSql claimReleasable() {
    return new LockSql.Limited(
        """
        SELECT o.lane, o.id
        FROM {parked} o
        WHERE o.lane = 0
          AND o.due_at IS NULL
          AND o.reason = 'TOPIC'
          AND LOCATE(CHAR(1) || o.topic || CHAR(1), CAST(:held AS varchar)) = 0
        LIMIT :limit
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public LockSql claimDelayed() {
    return new LockSql.Limited(
        """
        SELECT lane, id, due_at
        FROM {delayed}
        WHERE lane = 0
          AND due_at <= {now}
        LIMIT :limit
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public String putReady() {
    return """
        INSERT INTO {outbox}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        VALUES
          (:lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
          :ref_table, :ref_id, :origin, :not_after, :created_at)
        """;
  }

  @Override
  public String putParked() {
    return """
        INSERT INTO {parked}
          (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, first_failed_at, due_at, last_error, history)
        VALUES
          (:lane, :id, {cluster}, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
          :ref_table, :ref_id, :origin, :not_after, :created_at,
          :reason, :attempts,
          COALESCE(CAST(:first_failed_at AS timestamp(6) with time zone), CASE WHEN :attempts > 0 THEN {now} END),
          COALESCE(CAST(:due AS timestamp(6) with time zone), DATEADD(MICROSECOND, CAST(:rest AS bigint), {now})),
          :error, :history)
        """;
  }

  @Override
  public String putDead() {
    return """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, last_error, history, died_at, holds)
        VALUES
          ({cluster}, :lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
          :ref_table, :ref_id, :origin, :not_after, :created_at,
          :reason, :attempts, :error, :history, {now}, :holds)
        """;
  }

  @Override
  public String putArchive() {
    return """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        VALUES
          (:lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
          :ref_table, :ref_id, :origin, :not_after, :created_at, {now})
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
          AND (CAST(:msg_key AS varchar) IS NULL OR msg_key = CAST(:msg_key AS varchar))
          AND (CAST(:reason AS varchar) IS NULL OR reason = CAST(:reason AS varchar))
          AND (CAST(:older AS bigint) IS NULL OR died_at <= DATEADD(MICROSECOND, -CAST(:older AS bigint), {now}))
        ORDER BY dead_id
        LIMIT :limit
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}(CAST(:msg_key AS varchar) IS NULL OR msg_key = CAST(:msg_key AS varchar))
            AND (CAST(:reason AS varchar) IS NULL OR reason = CAST(:reason AS varchar))
            AND (CAST(:older AS bigint) IS NULL OR died_at <= DATEADD(MICROSECOND, -CAST(:older AS bigint), {now}))
          LIMIT :bound) counted
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
          AND (CAST(:reason AS varchar) IS NULL OR reason = CAST(:reason AS varchar))
          AND (CAST(:older AS bigint) IS NULL OR died_at <= DATEADD(MICROSECOND, -CAST(:older AS bigint), {now}))
        ORDER BY dead_id
        LIMIT :limit
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}topic = :topic
            AND (CAST(:reason AS varchar) IS NULL OR reason = CAST(:reason AS varchar))
            AND (CAST(:older AS bigint) IS NULL OR died_at <= DATEADD(MICROSECOND, -CAST(:older AS bigint), {now}))
          LIMIT :bound) counted
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
          AND (CAST(:reason AS varchar) IS NULL OR reason = CAST(:reason AS varchar))
          AND (CAST(:older AS bigint) IS NULL OR died_at <= DATEADD(MICROSECOND, -CAST(:older AS bigint), {now}))
        ORDER BY dead_id
        LIMIT :limit
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}topic = :topic
            AND msg_key = :msg_key
            AND (CAST(:reason AS varchar) IS NULL OR reason = CAST(:reason AS varchar))
            AND (CAST(:older AS bigint) IS NULL OR died_at <= DATEADD(MICROSECOND, -CAST(:older AS bigint), {now}))
          LIMIT :bound) counted
        """);
  }

  @Override
  public KeyQuery holders() {
    return new KeyQuery.UnionAll(
        """
        (SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
        FROM {dead} d
        WHERE d.dead_id = :id
          AND d.message_id = :message_id
          AND d.cluster_id = {cluster}
          AND d.holds = 1)
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
        WHERE died_at <= DATEADD(MICROSECOND, -CAST(:retention AS bigint), {now})
          AND holds = 0
        FETCH FIRST :limit ROWS ONLY
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
            AND completed_at <= DATEADD(MICROSECOND, -CAST(:retention AS bigint), {now})
          ORDER BY completed_at
          FETCH FIRST :limit ROWS ONLY) a
        """;
  }

  @Override
  public String purgeArchive() {
    return """
        DELETE FROM {archive}
        WHERE completed_at >= :from
          AND completed_at <= :up_to
        FETCH FIRST :limit ROWS ONLY
        """;
  }

  @Override
  public SlotSql receiptSlots() {
    return new SlotSql.None();
  }

  // refused as a duplicate, which undoes the statement alone
  @Override
  public OnceSql insertReceipts() {
    return new OnceSql.Tuples(
        """
        INSERT INTO {receipt} (consumer, message_id, received_at, expires_at)
        VALUES
        """,
        """
        (:consumer, :message_id, {now}, DATEADD(MICROSECOND, CAST(:keep AS bigint), {now}))""",
        "");
  }

  @Override
  public PurgeSql purgeReceipts() {
    return new PurgeSql.LockThenDelete(
        new LockSql.Limited(
            """
            SELECT consumer, message_id
            FROM {receipt}
            WHERE expires_at <= {now}
            LIMIT :limit
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
    return new OnceSql.Tuples(
        """
        INSERT INTO {dedupe} (topic, dedupe_key, message_id, created_at, expires_at)
        VALUES
        """,
        """
        (:topic, :dedupe_key, :message_id, {now}, DATEADD(MICROSECOND, CAST(:keep AS bigint), {now}))""",
        "");
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
          expires_at = DATEADD(MICROSECOND, CAST(:keep AS bigint), {now})
        WHERE topic = :topic
          AND dedupe_key = :dedupe_key
          AND expires_at <= {now}
        """;
  }

  @Override
  public PurgeSql purgeKeys() {
    return new PurgeSql.LockThenDelete(
        new LockSql.Limited(
            """
            SELECT topic, dedupe_key
            FROM {dedupe}
            WHERE expires_at <= {now}
            LIMIT :limit
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
        USING (VALUES (CAST(:relay AS varchar(255)))) AS b (relay)
          ON r.relay = b.relay
        WHEN MATCHED THEN
          UPDATE SET started_at = CASE WHEN r.live_until > {now} THEN r.started_at ELSE {now} END,
            live_until = DATEADD(MICROSECOND, CAST(:lifetime AS bigint), {now}),
            sharing = :sharing
        WHEN NOT MATCHED THEN
          INSERT (relay, live_until, started_at, sharing)
          VALUES (b.relay, DATEADD(MICROSECOND, CAST(:lifetime AS bigint), {now}), {now}, :sharing)
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
        WHERE live_until < DATEADD(DAY, -1, {now})
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
        FOR UPDATE
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
          (SELECT COUNT(*) FROM (SELECT 1 AS one FROM {outbox}{own} LIMIT :bound) r) AS ready,
          (SELECT COUNT(*) FROM (SELECT 1 AS one FROM {parked}{own} LIMIT :bound) p) AS parked,
          (SELECT COUNT(*) FROM (SELECT 1 AS one FROM {delayed}{own} LIMIT :bound) d) AS later,
          (SELECT COUNT(*) FROM (SELECT 1 AS one FROM {dead}{own} LIMIT :bound) x) AS dead
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
        (SELECT CAST(:lane AS integer) AS lane, (
          SELECT DATEDIFF(MICROSECOND, o.created_at, {now})
          FROM {outbox} o
          WHERE o.lane = :lane
            AND o.id > :after
          ORDER BY o.id
          LIMIT 1) AS ready_age, (
          SELECT DATEDIFF(MICROSECOND, o.due_at, {now})
          FROM {parked} o
          WHERE o.lane = :lane
            AND o.due_at <= {now}
          ORDER BY o.due_at
          LIMIT 1) AS due_age)
        """);
  }

  // the locks name sessions, not transactions
  @Override
  public WritersSql writers() {
    return new WritersSql.Untold();
  }

  @Override
  public String layout() {
    return """
        SELECT schema_version, lanes, claiming, clusters, cluster_id
        FROM {meta}
        """;
  }

  @Override
  public LimitSql limits() {
    return new LimitSql(
        """
        SELECT CAST(LOCK_TIMEOUT() AS integer) AS lock_wait
        """,
        """
        SET LOCK_TIMEOUT :lock_wait
        """,
        limits -> Map.of("lock_wait", Math.toIntExact(wait(limits))));
  }

  // a wait cannot be cut by another thread, so it is short: the session repeats what lost a race
  private static long wait(Limits limits) {
    return Math.max(1, Math.min(1000, limits.lockWait().toMillis()));
  }

  @Override
  public FaultCodes faults() {
    return new FaultCodes(
        Map.ofEntries(
            entry(40001, Fault.RETRY),
            entry(50200, Fault.RETRY),
            entry(90131, Fault.RETRY),
            entry(57014, Fault.SLOW),
            entry(90007, Fault.CONNECTION),
            entry(90067, Fault.CONNECTION),
            entry(90098, Fault.CONNECTION),
            entry(90121, Fault.CONNECTION),
            entry(90097, Fault.READ_ONLY),
            entry(42102, Fault.MISSING),
            entry(42103, Fault.MISSING),
            entry(42104, Fault.MISSING),
            entry(42122, Fault.MISSING),
            entry(90079, Fault.MISSING),
            entry(90096, Fault.DENIED),
            entry(23505, Fault.DUPLICATE)),
        Map.of());
  }

  @Override
  public String clock() {
    return "CURRENT_TIMESTAMP(6)";
  }

  @Override
  public String boundClock() {
    return "CAST(:now AS timestamp(6) with time zone)";
  }

  @Override
  public String now() {
    return """
        SELECT {now} AS now
        """;
  }

  @Override
  public Object bind(MessageId id) {
    return id.value();
  }

  @Override
  public MessageId messageId(ResultSet row, int column) throws SQLException {
    return new MessageId(row.getObject(column, UUID.class));
  }

  @Override
  public Object bind(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, int column) throws SQLException {
    OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
    return value == null ? null : value.toInstant();
  }

  @Override
  public String atMost() {
    return "LIMIT :limit";
  }

  @Override
  public int maxIdentifier() {
    return 256;
  }
}
