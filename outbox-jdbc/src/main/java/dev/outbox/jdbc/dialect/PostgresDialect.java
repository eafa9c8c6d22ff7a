package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of PostgreSQL.
 *
 * <p>Stateless.
 */
public final class PostgresDialect implements Dialect {
  private static final String READY =
      """
      SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
        CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.headers END AS headers,
        CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS payload,
        CASE WHEN w.weight > CAST(:inline AS bigint) THEN w.weight END AS weight,
        CASE WHEN w.weight > CAST(:inline AS bigint) THEN octet_length(o.payload) END AS bytes,
        o.ref_table, o.ref_id, {origin}o.not_after,
        CASE WHEN o.not_after <= {now} THEN 1 END AS expired
      FROM unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[]), CAST(:limits AS integer[]))
        AS c (lane, after, bound)
      CROSS JOIN LATERAL (
        SELECT *
        FROM {outbox} r
        WHERE r.lane = c.lane
          AND r.id > c.after
          {past}
        ORDER BY r.id
        LIMIT c.bound) o
      CROSS JOIN LATERAL (
        SELECT COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0)) w (weight)
      """;

  @Override
  public String name() {
    return "postgresql";
  }

  @Override
  public String supported() {
    return "PostgreSQL 13 or newer";
  }

  @Override
  public Match match(Product product) {
    if (!product.name().equals("PostgreSQL")) {
      return Match.OTHER;
    }
    return product.isAtLeast(13, 0, 0) ? Match.SUPPORTED : Match.TOO_OLD;
  }

  @Override
  public boolean readsAlone() {
    return true;
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
          COALESCE(CAST(:due AS timestamptz), {now} + CAST(:delay AS bigint) * INTERVAL '1 microsecond'))""");
  }

  @Override
  public boolean isReadOnly(Connection connection) throws SQLException {
    return connection.isReadOnly();
  }

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
            OR lease_until > {now} + 2 * lease_micros * INTERVAL '1 microsecond')
        ORDER BY lane
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
        ORDER BY lane
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
          lease_until = {now} + CAST(:lease AS bigint) * INTERVAL '1 microsecond',
          lease_micros = CAST(:lease AS bigint)
        WHERE lane = :lane
        """;
  }

  @Override
  public LaneQuery heldKeys() {
    return new LaneQuery.Arrays(
        """
        SELECT p.lane, p.topic, p.msg_key
        FROM {parked} p
        WHERE p.lane = ANY(CAST(:lanes AS integer[]))
          AND p.msg_key IS NOT NULL
        UNION
        SELECT d.lane, d.topic, d.msg_key
        FROM {dead} d
        WHERE d.lane = ANY(CAST(:lanes AS integer[]))
          AND d.holds = 1
        """);
  }

  // a scalar sub-select with a limit stays a lookup, where EXISTS may become a scan that is hashed
  @Override
  public LaneQuery look() {
    return new LaneQuery.Arrays(
        """
        SELECT c.lane,
          COALESCE((
            SELECT 1
            FROM {outbox} o
            WHERE o.lane = c.lane
              AND o.id > c.after
            LIMIT 1), 0) AS ready,
          COALESCE((
            SELECT 1
            FROM {parked} p
            WHERE p.lane = c.lane
              AND p.due_at <= {now}
              AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
              AND NOT EXISTS (
                SELECT 1
                FROM {parked} e
                WHERE e.lane = p.lane
                  AND e.topic = p.topic
                  AND e.msg_key = p.msg_key
                  AND e.id < p.id)
              AND NOT EXISTS (
                SELECT 1
                FROM {dead} d
                WHERE d.lane = p.lane
                  AND d.holds = 1
                  AND d.topic = p.topic
                  AND d.msg_key = p.msg_key
                  AND d.id < p.id)
            LIMIT 1), 0) AS due,
          COALESCE((
            SELECT 1
            FROM {delayed} d
            WHERE d.lane = c.lane
              AND d.due_at <= {now}
            LIMIT 1), 0) AS later
        FROM unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[])) AS c (lane, after)
        UNION ALL
        SELECT -1, CAST(COUNT(*) AS integer), 0, 0
        FROM {lane}
        WHERE owner IS NULL
          OR lease_until <= {now}
          OR lease_until > {now} + 2 * lease_micros * INTERVAL '1 microsecond'
        """);
  }

  // the length of a value that is stored apart is known without fetching it
  @Override
  public LaneQuery ready() {
    return new LaneQuery.Arrays(READY.replace("{past}", ""));
  }

  @Override
  public LaneQuery readyPast() {
    return new LaneQuery.Arrays(
        READY.replace(
            "{past}",
            """
            AND r.id <= c.after + CAST(:reach AS bigint)
            AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || r.topic || chr(1)) = 0
            """));
  }

  @Override
  public KeyQuery readyBodies() {
    return new KeyQuery.Together(
        """
        SELECT o.lane, o.id, o.payload, o.headers
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint, message_id uuid)
        JOIN {outbox} o
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id
        """);
  }

  @Override
  public String newest() {
    return """
        SELECT MAX(n.id) AS newest
        FROM generate_series(0, CAST(:most AS integer)) AS l (lane)
        CROSS JOIN LATERAL (
          SELECT o.id
          FROM {outbox} o
          WHERE o.lane = l.lane
            AND o.id > :above
          ORDER BY o.id DESC
          LIMIT 1) n
        """;
  }

  @Override
  public NextIdSql nextId() {
    return new NextIdSql.OfSequence(
        """
        SELECT s.name, CASE WHEN has_sequence_privilege(s.name, 'SELECT') THEN 1 ELSE 0 END AS readable
        FROM (SELECT pg_get_serial_sequence('{table}', '{column}') AS name) s
        """,
        """
        SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END AS next
        FROM {sequence}
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
                  AND o.id >= CAST(:next AS bigint)) AS id
              FROM {lane} l) n), 0),
          COALESCE((
            SELECT MAX(n.id)
            FROM (
              SELECT (
                SELECT MAX(p.id)
                FROM {parked} p
                WHERE p.lane = l.lane
                  AND p.id >= CAST(:next AS bigint)) AS id
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
              AND a.id >= CAST(:next AS bigint)) AS id
          FROM {lane} l) n
        """;
  }

  @Override
  public String raiseNextId() {
    return """
        SELECT setval('{sequence}', GREATEST({next}, last_value + 1), false) FROM {sequence}
        """;
  }

  // Locked in order of lane before any is changed. A lock is noted in the row, a change makes a
  // version of it: beside an
  // old snapshot none of them goes, and who reads a lane's row walks past all of them. So only what
  // is due is changed.
  @Override
  public FenceSql fence() {
    return new FenceSql.Query(
        """
        WITH mine AS MATERIALIZED (
          SELECT l.lane, a.floor, a.keep, a.free,
            a.due = 1 OR a.keep = 0 AND (l.takeovers > 0 OR l.suspect_id IS NOT NULL) AS changes
          FROM unnest(
              CAST(:lanes AS integer[]), CAST(:epochs AS bigint[]), CAST(:floors AS bigint[]),
              CAST(:keeps AS integer[]), CAST(:frees AS integer[]), CAST(:dues AS integer[]))
            AS a (lane, epoch, floor, keep, free, due)
          JOIN {lane} l
            ON l.lane = a.lane AND l.epoch = a.epoch
          WHERE l.owner = :owner
          ORDER BY l.lane
          FOR UPDATE OF l),
        changed AS (
          UPDATE {lane} l
          SET settles = l.settles + 1,
            floor = m.floor,
            takeovers = l.takeovers * m.keep,
            suspect_id = CASE WHEN m.keep = 1 THEN l.suspect_id END,
            suspect_count = l.suspect_count * m.keep,
            lease_until = CASE WHEN m.free = 1 THEN NULL
              ELSE {now} + CAST(:lease AS bigint) * INTERVAL '1 microsecond' END,
            owner = CASE WHEN m.free = 1 THEN NULL ELSE l.owner END
          FROM mine m
          WHERE l.lane = m.lane
            AND m.changes)
        SELECT lane
        FROM mine
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
    return new ByIds.LaneArray(
        """
        DELETE FROM {outbox} o
        USING (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a
        WHERE o.lane = :lane
          AND o.id = ANY(a.ids)
          AND uuid_send(o.message_id) = substr(a.messages, 16 * width_bucket(o.id, a.ids) - 15, 16)
        """);
  }

  @Override
  public ByIds deleteParked() {
    return new ByIds.LaneArray(
        """
        DELETE FROM {parked} o
        USING (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a
        WHERE o.lane = :lane
          AND o.id = ANY(a.ids)
          AND uuid_send(o.message_id) = substr(a.messages, 16 * width_bucket(o.id, a.ids) - 15, 16)
          AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public ByIds deleteAnyParked() {
    return new ByIds.LaneArray(
        """
        DELETE FROM {parked} o
        USING (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a
        WHERE o.lane = :lane
          AND o.id = ANY(a.ids)
          AND uuid_send(o.message_id) = substr(a.messages, 16 * width_bucket(o.id, a.ids) - 15, 16)
        """);
  }

  @Override
  public ByIds archiveReady() {
    return new ByIds.LaneArray(
        """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, {now}
        FROM (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a
        JOIN {outbox} o
          ON o.lane = :lane
          AND o.id = ANY(a.ids)
          AND uuid_send(o.message_id) = substr(a.messages, 16 * width_bucket(o.id, a.ids) - 15, 16)
        """);
  }

  @Override
  public ByIds archiveParked() {
    return new ByIds.LaneArray(
        """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, {now}
        FROM (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a
        JOIN {parked} o
          ON o.lane = :lane
          AND o.id = ANY(a.ids)
          AND uuid_send(o.message_id) = substr(a.messages, 16 * width_bucket(o.id, a.ids) - 15, 16)
          AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public KeyQuery takenArchive() {
    return new KeyQuery.Together(
        """
        SELECT t.lane, t.id
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint)
        JOIN {archive} t
          ON t.lane = a.lane AND t.id = a.id
        """);
  }

  @Override
  public KeyQuery behind() {
    return new KeyQuery.Together(
        """
        SELECT o.lane, o.id
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint, message_id uuid)
        JOIN {outbox} o
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id
        WHERE EXISTS (
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
              AND d.id < o.id)
        """);
  }

  @Override
  public ByIds parkReady() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {parked}
          (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, first_failed_at, due_at, last_error, history)
        SELECT o.lane, COALESCE(a.parked_as, o.id), {cluster}, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          a.reason, a.attempts, CASE WHEN a.attempts > 0 THEN {now} END,
          {now} + a.rest * INTERVAL '1 microsecond', a.error, a.history
        FROM jsonb_to_recordset(CAST(:rows AS jsonb))
          AS a (lane integer, id bigint, message_id uuid, parked_as bigint, reason text, attempts integer, rest bigint, error text, history text)
        JOIN {outbox} o
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id
        """);
  }

  @Override
  public KeyQuery takenParked() {
    return new KeyQuery.Together(
        """
        SELECT t.lane, t.id
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint)
        JOIN {parked} t
          ON t.lane = a.lane AND t.id = a.id AND t.cluster_id = {cluster}
        """);
  }

  @Override
  public ByIds reschedule() {
    return new ByIds.JsonRows(
        """
        UPDATE {parked} p
        SET reason = a.reason,
          attempts = a.attempts,
          first_failed_at = COALESCE(p.first_failed_at, CASE WHEN a.attempts > 0 THEN {now} END),
          due_at = {now} + a.rest * INTERVAL '1 microsecond',
          last_error = COALESCE(a.error, p.last_error),
          history = a.history
        FROM jsonb_to_recordset(CAST(:rows AS jsonb))
          AS a (lane integer, id bigint, message_id uuid, reason text, attempts integer, rest bigint, error text, history text)
        WHERE p.lane = a.lane
          AND p.id = a.id
          AND p.message_id = a.message_id
          AND p.cluster_id = {cluster}
        """);
  }

  @Override
  public ByIds buryReady() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, last_error, history, died_at, holds)
        SELECT {cluster}, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          a.reason, a.attempts, a.error, a.history, {now}, a.holds
        FROM jsonb_to_recordset(CAST(:rows AS jsonb))
          AS a (lane integer, id bigint, message_id uuid, reason text, attempts integer, error text, history text, holds smallint)
        JOIN {outbox} o
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id
        ORDER BY o.lane, o.id
        """);
  }

  @Override
  public ByIds buryParked() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, last_error, history, died_at, holds)
        SELECT {cluster}, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          a.reason, a.attempts, a.error, a.history, {now}, a.holds
        FROM jsonb_to_recordset(CAST(:rows AS jsonb))
          AS a (lane integer, id bigint, message_id uuid, reason text, attempts integer, error text, history text, holds smallint)
        JOIN {parked} o
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id AND o.cluster_id = {cluster}
        ORDER BY o.lane, o.id
        """);
  }

  @Override
  public KeyQuery heads() {
    return new KeyQuery.Together(
        """
        SELECT k.n, h.id, (
          SELECT d.id
          FROM {dead} d
          WHERE d.lane = k.lane
            AND d.holds = 1
            AND d.topic = k.topic
            AND d.msg_key = k.msg_key
          ORDER BY d.id
          LIMIT 1) AS hold
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS k (n integer, lane integer, topic text, msg_key text)
        LEFT JOIN LATERAL (
          SELECT p.id
          FROM {parked} p
          WHERE p.lane = k.lane
            AND p.topic = k.topic
            AND p.msg_key = k.msg_key
          ORDER BY p.id
          LIMIT 1) h
          ON true
        """);
  }

  @Override
  public ByIds wakeHeads() {
    return new ByIds.LaneArray(
        """
        UPDATE {parked}
        SET due_at = {now}
        WHERE lane = :lane
          AND id = ANY(CAST(:ids AS bigint[]))
          AND cluster_id = {cluster}
          AND due_at IS NULL
        """);
  }

  @Override
  public LaneQuery dueHeads() {
    return new LaneQuery.Arrays(
        """
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
          CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.headers END AS headers,
          CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS payload,
          CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.history END AS history,
          w.weight, COALESCE(octet_length(o.payload), 0) AS bytes,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
          CAST(EXTRACT(EPOCH FROM {now} - o.first_failed_at) * 1000000 AS bigint) AS failing
        FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
        CROSS JOIN LATERAL (
          SELECT *
          FROM {parked} p
          WHERE p.lane = c.lane
            AND p.due_at <= {now}
            AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
            AND NOT EXISTS (
              SELECT 1
              FROM {parked} e
              WHERE e.lane = p.lane
                AND e.topic = p.topic
                AND e.msg_key = p.msg_key
                AND e.id < p.id)
            AND NOT EXISTS (
              SELECT 1
              FROM {dead} d
              WHERE d.lane = p.lane
                AND d.holds = 1
                AND d.topic = p.topic
                AND d.msg_key = p.msg_key
                AND d.id < p.id)
          ORDER BY p.due_at, p.reason, p.id
          LIMIT c.bound) o
        CROSS JOIN LATERAL (
          SELECT COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0)
            + COALESCE(octet_length(o.history), 0)) w (weight)
        """);
  }

  @Override
  public KeyQuery followers() {
    return new KeyQuery.Together(
        """
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
          CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.headers END AS headers,
          CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS payload,
          CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.history END AS history,
          w.weight, COALESCE(octet_length(o.payload), 0) AS bytes,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
          CAST(EXTRACT(EPOCH FROM {now} - o.first_failed_at) * 1000000 AS bigint) AS failing
        FROM jsonb_to_recordset(CAST(:keys AS jsonb))
          AS k (lane integer, topic text, msg_key text, id bigint, "limit" integer)
        CROSS JOIN LATERAL (
          SELECT *
          FROM {parked} p
          WHERE p.lane = k.lane
            AND p.topic = k.topic
            AND p.msg_key = k.msg_key
            AND p.id > k.id
            AND p.id < COALESCE((
              SELECT d.id
              FROM {dead} d
              WHERE d.lane = k.lane
                AND d.holds = 1
                AND d.topic = k.topic
                AND d.msg_key = k.msg_key
              ORDER BY d.id
              LIMIT 1), 9223372036854775807)
          ORDER BY p.id
          LIMIT k."limit") o
        CROSS JOIN LATERAL (
          SELECT COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0)
            + COALESCE(octet_length(o.history), 0)) w (weight)
        ORDER BY o.lane, o.topic, o.msg_key, o.id
        """);
  }

  @Override
  public KeyQuery dueBodies() {
    return new KeyQuery.Together(
        """
        SELECT o.lane, o.id, o.payload, o.headers, o.history
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint, message_id uuid)
        JOIN {parked} o
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public LaneQuery releasable() {
    return new LaneQuery.Arrays(
        """
        SELECT o.lane, o.id
        FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
        CROSS JOIN LATERAL (
          SELECT p.lane, p.id
          FROM {parked} p
          WHERE p.lane = c.lane
            AND p.due_at IS NULL
            AND p.reason = 'TOPIC'
            AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
          ORDER BY p.id
          LIMIT c.bound) o
        """);
  }

  @Override
  public LaneQuery dueDelayed() {
    return new LaneQuery.Arrays(
        """
        SELECT c.lane, o.id, o.due_at
        FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
        CROSS JOIN LATERAL (
          SELECT d.id, d.due_at
          FROM {delayed} d
          WHERE d.lane = c.lane
            AND d.due_at <= {now}
          ORDER BY d.due_at, d.id
          LIMIT c.bound) o
        """);
  }

  @Override
  public ByIds promote() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at
        FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint)
        JOIN {delayed} d
          ON d.id = a.id
        ORDER BY d.due_at, d.id
        """);
  }

  @Override
  public ByIds deleteDelayed() {
    return new ByIds.JsonRows(
        """
        DELETE FROM {delayed} d
        USING jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint)
        WHERE d.id = a.id
        """);
  }

  // ctid = ANY(ARRAY(...)) cannot run the sub-select again, and stays a lookup however many rows
  // are asked for
  @Override
  public ClaimSql claimReady() {
    return new ClaimSql.Returning(
        """
        DELETE FROM {outbox}
        WHERE ctid = ANY(ARRAY(
          SELECT o.ctid
          FROM {outbox} o
          WHERE length(CAST(:held AS text)) = 2
            OR strpos(CAST(:held AS text) COLLATE "C", chr(1) || o.topic || chr(1)) = 0
          ORDER BY o.lane, o.id
          LIMIT :limit
          FOR UPDATE SKIP LOCKED))
        RETURNING lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          CASE WHEN not_after <= {now} THEN 1 ELSE 0 END AS expired
        """);
  }

  @Override
  public ClaimSql claimDue() {
    return new ClaimSql.Returning(
        """
        DELETE FROM {parked}
        WHERE ctid = ANY(ARRAY(
          SELECT p.ctid
          FROM {parked} p
          WHERE p.lane = 0
            AND p.due_at <= {now}
            AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
          ORDER BY p.lane, p.due_at
          LIMIT :limit
          FOR UPDATE SKIP LOCKED))
        RETURNING lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          CASE WHEN not_after <= {now} THEN 1 ELSE 0 END AS expired,
          attempts, first_failed_at, due_at, reason, last_error, history,
          CAST(EXTRACT(EPOCH FROM {now} - first_failed_at) * 1000000 AS bigint) AS failing
        """);
  }

  @Override
  public LockSql claimReleasable() {
    return new LockSql.Limited(
        """
        SELECT p.lane, p.id
        FROM {parked} p
        WHERE p.lane = 0
          AND p.due_at IS NULL
          AND p.reason = 'TOPIC'
          AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
        ORDER BY p.id
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
        ORDER BY lane, due_at, id
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
          COALESCE(CAST(:first_failed_at AS timestamptz), CASE WHEN :attempts > 0 THEN {now} END),
          COALESCE(CAST(:due AS timestamptz), {now} + CAST(:rest AS bigint) * INTERVAL '1 microsecond'),
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
          AND (CAST(:msg_key AS text) IS NULL OR msg_key = CAST(:msg_key AS text))
          AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text))
          AND (CAST(:older AS bigint) IS NULL
            OR died_at <= {now} - CAST(:older AS bigint) * INTERVAL '1 microsecond')
        ORDER BY dead_id
        LIMIT :limit
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}(CAST(:msg_key AS text) IS NULL OR msg_key = CAST(:msg_key AS text))
            AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text))
            AND (CAST(:older AS bigint) IS NULL
              OR died_at <= {now} - CAST(:older AS bigint) * INTERVAL '1 microsecond')
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
          AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text))
          AND (CAST(:older AS bigint) IS NULL
            OR died_at <= {now} - CAST(:older AS bigint) * INTERVAL '1 microsecond')
        ORDER BY dead_id
        LIMIT :limit
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}topic = :topic
            AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text))
            AND (CAST(:older AS bigint) IS NULL
              OR died_at <= {now} - CAST(:older AS bigint) * INTERVAL '1 microsecond')
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
          AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text))
          AND (CAST(:older AS bigint) IS NULL
            OR died_at <= {now} - CAST(:older AS bigint) * INTERVAL '1 microsecond')
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
            AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text))
            AND (CAST(:older AS bigint) IS NULL
              OR died_at <= {now} - CAST(:older AS bigint) * INTERVAL '1 microsecond')
          LIMIT :bound) counted
        """);
  }

  @Override
  public KeyQuery holders() {
    return new KeyQuery.Together(
        """
        SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (id bigint, message_id uuid)
        JOIN {dead} d
          ON d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = {cluster}
        WHERE d.holds = 1
        """);
  }

  @Override
  public ByIds replay() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at
        FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid)
        JOIN {dead} d
          ON d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = {cluster}
        ORDER BY d.dead_id
        """);
  }

  @Override
  public ByIds replayHolders() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {parked}
          (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, due_at, last_error, history)
        SELECT d.lane, d.id, {cluster}, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at,
          'FAILED', 0, {now}, d.last_error, d.history
        FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid)
        JOIN {dead} d
          ON d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = {cluster}
        WHERE d.holds = 1
        """);
  }

  @Override
  public ByIds deleteDead() {
    return new ByIds.JsonRows(
        """
        DELETE FROM {dead} d
        USING jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid)
        WHERE d.dead_id = a.id
          AND d.message_id = a.message_id
          AND d.cluster_id = {cluster}
        """);
  }

  // no lock: it would need the grant to update
  @Override
  public String purgeDead() {
    return """
        DELETE FROM {dead}
        WHERE ctid = ANY(ARRAY(
          SELECT d.ctid
          FROM {dead} d
          WHERE d.died_at <= {now} - CAST(:retention AS bigint) * INTERVAL '1 microsecond'
            AND d.holds = 0
          ORDER BY d.died_at
          LIMIT :limit))
        """;
  }

  @Override
  public String oldArchive() {
    return """
        SELECT max(a.completed_at) AS up_to
        FROM (
          SELECT completed_at
          FROM {archive}
          WHERE completed_at >= :from
            AND completed_at <= {now} - CAST(:retention AS bigint) * INTERVAL '1 microsecond'
          ORDER BY completed_at
          LIMIT :limit) a
        """;
  }

  @Override
  public String purgeArchive() {
    return """
        DELETE FROM {archive}
        WHERE ctid = ANY(ARRAY(
          SELECT a.ctid
          FROM {archive} a
          WHERE a.completed_at >= :from
            AND a.completed_at <= :up_to
          ORDER BY a.completed_at
          LIMIT :limit))
        """;
  }

  @Override
  public SlotSql receiptSlots() {
    return new SlotSql.None();
  }

  @Override
  public OnceSql insertReceipts() {
    return new OnceSql.Tuples(
        """
        INSERT INTO {receipt} (consumer, message_id, received_at, expires_at)
        VALUES
        """,
        """
        (:consumer, :message_id, {now}, {now} + CAST(:keep AS bigint) * INTERVAL '1 microsecond')""",
        "\nON CONFLICT (consumer, message_id) DO NOTHING");
  }

  @Override
  public PurgeSql purgeReceipts() {
    return new PurgeSql.Direct(
        """
        DELETE FROM {receipt}
        WHERE ctid = ANY(ARRAY(
          SELECT r.ctid
          FROM {receipt} r
          WHERE r.expires_at <= {now}
          ORDER BY r.expires_at
          LIMIT :limit
          FOR UPDATE SKIP LOCKED))
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
        (:topic, :dedupe_key, :message_id, {now}, {now} + CAST(:keep AS bigint) * INTERVAL '1 microsecond')""",
        "\nON CONFLICT (topic, dedupe_key) DO NOTHING");
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
          expires_at = {now} + CAST(:keep AS bigint) * INTERVAL '1 microsecond'
        WHERE topic = :topic
          AND dedupe_key = :dedupe_key
          AND expires_at <= {now}
        """;
  }

  @Override
  public PurgeSql purgeKeys() {
    return new PurgeSql.Direct(
        """
        DELETE FROM {dedupe}
        WHERE ctid = ANY(ARRAY(
          SELECT d.ctid
          FROM {dedupe} d
          WHERE d.expires_at <= {now}
          ORDER BY d.expires_at
          LIMIT :limit
          FOR UPDATE SKIP LOCKED))
        """);
  }

  @Override
  public String beat() {
    return """
        INSERT INTO {relay} AS r (relay, live_until, started_at, sharing)
        VALUES (:relay, {now} + CAST(:lifetime AS bigint) * INTERVAL '1 microsecond', {now}, :sharing)
        ON CONFLICT (relay) DO UPDATE
        SET started_at = CASE WHEN r.live_until > {now} THEN r.started_at ELSE EXCLUDED.started_at END,
          live_until = EXCLUDED.live_until,
          sharing = EXCLUDED.sharing
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
        WHERE live_until < {now} - INTERVAL '1 day'
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
    return new LaneQuery.Arrays(
        """
        SELECT c.lane, (
            SELECT CAST(EXTRACT(EPOCH FROM {now} - o.created_at) * 1000000 AS bigint)
            FROM {outbox} o
            WHERE o.lane = c.lane
              AND o.id > c.after
            ORDER BY o.id
            LIMIT 1) AS ready_age, (
            SELECT CAST(EXTRACT(EPOCH FROM {now} - p.due_at) * 1000000 AS bigint)
            FROM {parked} p
            WHERE p.lane = c.lane
              AND p.due_at <= {now}
            ORDER BY p.due_at
            LIMIT 1) AS due_age
        FROM unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[])) AS c (lane, after)
        """);
  }

  // the lock is taken before the id and held until the commit can be seen. Where transactions can
  // be
  // prepared, which changes their virtual number, the real one is a second name
  @Override
  public WritersSql writers() {
    return new WritersSql.Told(
        """
        WITH locks AS MATERIALIZED (
          SELECT locktype, database, relation, mode, granted, pid, virtualtransaction, transactionid
          FROM pg_locks),
        holders AS (
          SELECT DISTINCT virtualtransaction
          FROM locks
          WHERE locktype = 'relation'
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND relation = to_regclass('{outbox}')
            AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
            AND granted
            AND pid IS DISTINCT FROM pg_backend_pid())
        SELECT virtualtransaction AS name
        FROM holders
        UNION ALL
        SELECT 'xid ' || CAST(l.transactionid AS text)
        FROM locks l
        JOIN holders h
          ON h.virtualtransaction = l.virtualtransaction
        WHERE l.locktype = 'transactionid'
          AND l.mode = 'ExclusiveLock'
          AND current_setting('max_prepared_transactions') <> '0'
        """,
        Duration.ZERO);
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
        SELECT current_setting('lock_timeout') AS lock_wait,
          current_setting('idle_in_transaction_session_timeout') AS idle,
          current_setting('statement_timeout') AS statement,
          pg_backend_pid() AS session
        """,
        """
        SELECT set_config('lock_timeout', :lock_wait, false),
          set_config('idle_in_transaction_session_timeout', :idle, false),
          set_config('statement_timeout', :statement, false)
        """,
        """
        SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
        SELECT set_config('lock_timeout', :lock_wait, true),
          set_config('idle_in_transaction_session_timeout', :idle, true),
          set_config('statement_timeout', :statement, true)
        """,
        limits ->
            Map.of(
                "lock_wait", milliseconds(limits.lockWait()),
                "idle", milliseconds(limits.idle()),
                "statement", milliseconds(limits.statement())));
  }

  private static String milliseconds(Duration duration) {
    return Long.toString(Math.max(1, duration.toMillis()));
  }

  @Override
  public FaultCodes faults() {
    return new FaultCodes(
        Map.of(),
        Map.ofEntries(
            entry("40001", Fault.RETRY),
            entry("40P01", Fault.RETRY),
            entry("55P03", Fault.RETRY),
            entry("25P03", Fault.CONNECTION),
            entry("57P01", Fault.CONNECTION),
            entry("57P02", Fault.CONNECTION),
            entry("57P03", Fault.CONNECTION),
            entry("57P05", Fault.CONNECTION),
            entry("57014", Fault.SLOW),
            entry("25006", Fault.READ_ONLY),
            entry("42P01", Fault.MISSING),
            entry("42703", Fault.MISSING),
            entry("3F000", Fault.MISSING),
            entry("42501", Fault.DENIED),
            entry("23505", Fault.DUPLICATE)));
  }

  // one value for the statement, which an index can be searched for
  @Override
  public String clock() {
    return "(SELECT clock_timestamp())";
  }

  @Override
  public String boundClock() {
    return "CAST(:now AS timestamptz)";
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
    return 63;
  }
}
