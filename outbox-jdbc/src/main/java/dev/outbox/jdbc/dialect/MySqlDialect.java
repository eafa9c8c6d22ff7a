package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of MySQL.
 *
 * <p>Stateless.
 */
/*
 * Of a table that is nearly empty the statistics count no rows, however many dead ones there are, and then a statement that needs
 * no column but those of an index goes through the whole of it, from the first dead row on. Hence "topic IS NOT NULL", which
 * is always true: with a column from beside the index there is nothing but the range. In {parked} it is content_type: its index
 * has the topic.
 */
public final class MySqlDialect implements Dialect {
  /** Rows of each slot table, as the DDL makes them. */
  private static final int SLOTS = 1024;

  private static final String READY =
      """
      (SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
        CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) <= :inline
          THEN o.headers END AS headers,
        CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) <= :inline
          THEN o.payload END AS payload,
        CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline
          THEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) END AS weight,
        CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline
          THEN LENGTH(o.payload) END AS bytes,
        o.ref_table, o.ref_id, {origin}o.not_after,
        CASE WHEN o.not_after <= {now} THEN 1 END AS expired
      FROM {outbox} o FORCE INDEX (PRIMARY)
      WHERE o.lane = :lane
        AND o.id > :after
        {past}
      ORDER BY o.id
      LIMIT :limit)
      """;

  @Override
  public String name() {
    return "mysql";
  }

  @Override
  public String supported() {
    return "MySQL 8.0.14 or newer";
  }

  @Override
  public Match match(Product product) {
    if (!product.name().equals("MySQL") || product.isMariaDb()) {
      return Match.OTHER;
    }
    return product.isAtLeast(8, 0, 14) ? Match.SUPPORTED : Match.TOO_OLD;
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
          COALESCE(CAST(:due AS DATETIME(6)), {now} + INTERVAL :delay MICROSECOND))""");
  }

  // asking costs a round trip; the server refuses, see faults
  @Override
  public boolean isReadOnly(Connection connection) {
    return false;
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
            OR lease_until > {now} + INTERVAL 2 * lease_micros MICROSECOND)
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
          lease_until = {now} + INTERVAL :lease MICROSECOND,
          lease_micros = :lease
        WHERE lane = :lane
        """;
  }

  // the collation pads: 'a' equals 'a ', so lengths are compared too
  @Override
  public LaneQuery heldKeys() {
    return new LaneQuery.UnionAll(
        """
        (SELECT DISTINCT p.lane, p.topic, p.msg_key, LENGTH(p.topic), LENGTH(p.msg_key)
        FROM {parked} p
        WHERE p.lane = :lane
          AND p.msg_key IS NOT NULL)
        UNION ALL
        (SELECT DISTINCT d.lane, d.topic, d.msg_key, LENGTH(d.topic), LENGTH(d.msg_key)
        FROM {dead} d FORCE INDEX ({index dead_holds})
        WHERE d.lane = :lane
          AND d.holds = 1)
        """);
  }

  @Override
  public LaneQuery look() {
    return new LaneQuery.UnionAll(
        """
        (SELECT :lane AS lane,
          EXISTS (
            SELECT 1
            FROM {outbox} o FORCE INDEX (PRIMARY)
            WHERE o.lane = :lane
              AND o.id > :after
              AND o.topic IS NOT NULL) AS ready,
          EXISTS (
            SELECT 1
            FROM {parked} o FORCE INDEX ({index parked_heads})
            WHERE o.lane = :lane
              AND o.due_at <= {now}
              AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'),
                CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
              AND NOT EXISTS (
                SELECT 1
                FROM {parked} e FORCE INDEX ({index parked_keys})
                WHERE e.lane = o.lane
                  AND e.topic = o.topic
                  AND LENGTH(e.topic) = LENGTH(o.topic)
                  AND e.msg_key = o.msg_key
                  AND LENGTH(e.msg_key) = LENGTH(o.msg_key)
                  AND e.id < o.id)
              AND NOT EXISTS (
                SELECT 1
                FROM {dead} d FORCE INDEX ({index dead_holds})
                WHERE d.lane = o.lane
                  AND d.holds = 1
                  AND d.topic = o.topic
                  AND LENGTH(d.topic) = LENGTH(o.topic)
                  AND d.msg_key = o.msg_key
                  AND LENGTH(d.msg_key) = LENGTH(o.msg_key)
                  AND d.id < o.id)) AS due,
          EXISTS (
            SELECT 1
            FROM {delayed} d FORCE INDEX ({index delayed_heads})
            WHERE d.lane = :lane
              AND d.due_at <= {now}
              AND d.topic IS NOT NULL) AS later)
        """,
        """
        (SELECT -1 AS lane, COUNT(*) AS ready, 0 AS due, 0 AS later
        FROM {lane}
        WHERE owner IS NULL
          OR lease_until <= {now}
          OR lease_until > {now} + INTERVAL 2 * lease_micros MICROSECOND)
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
            AND o.id <= :after + :reach
            AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'),
              CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
            """));
  }

  @Override
  public KeyQuery readyBodies() {
    return new KeyQuery.Together(
        """
        SELECT o.lane, o.id, o.payload, o.headers
        FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)
        """);
  }

  @Override
  public String newest() {
    return """
        SELECT MAX(o.id) AS newest
        FROM {outbox} o
        WHERE o.id > :above
        """;
  }

  // information_schema tells a number that is up to a day old
  @Override
  public NextIdSql nextId() {
    return new NextIdSql.Shown(
        """
        SHOW CREATE TABLE {table}
        """,
        """
        SET @outbox_waits = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = 5
        """,
        """
        SET SESSION lock_wait_timeout = @outbox_waits
        """);
  }

  // the last of each lane by its index: a condition on the id would read all of the lane
  @Override
  public String highestId() {
    return """
        SELECT GREATEST(
          COALESCE((SELECT MAX(l.floor) FROM {lane} l), 0),
          COALESCE((SELECT MAX(o.id) FROM {outbox} o WHERE o.id >= :next), 0),
          COALESCE((
            SELECT MAX(n.id)
            FROM (
              SELECT (
                SELECT p.id
                FROM {parked} p
                WHERE p.lane = l.lane
                ORDER BY p.lane DESC, p.id DESC
                LIMIT 1) AS id
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
            SELECT a.id
            FROM {archive} a
            WHERE a.lane = l.lane
            ORDER BY a.lane DESC, a.id DESC
            LIMIT 1) AS id
          FROM {lane} l) n
        """;
  }

  @Override
  public String raiseNextId() {
    return """
        ALTER TABLE {table} AUTO_INCREMENT = {next}
        """;
  }

  @Override
  public FenceSql fence() {
    return new FenceSql.JsonLanes(
        """
        UPDATE JSON_TABLE(:lanes, '$[*]' COLUMNS (
          lane INT PATH '$.lane', epoch BIGINT PATH '$.epoch', floor BIGINT PATH '$.floor',
          keep INT PATH '$.keep', free INT PATH '$.free')) a
        STRAIGHT_JOIN {lane} l FORCE INDEX (PRIMARY)
          ON l.lane = a.lane
        SET l.settles = l.settles + 1,
          l.floor = a.floor,
          l.takeovers = l.takeovers * a.keep,
          l.suspect_id = CASE WHEN a.keep = 1 THEN l.suspect_id END,
          l.suspect_count = l.suspect_count * a.keep,
          l.lease_until = CASE WHEN a.free = 1 THEN NULL
            ELSE {now} + INTERVAL :lease MICROSECOND END,
          l.owner = CASE WHEN a.free = 1 THEN NULL ELSE l.owner END
        WHERE l.owner = :owner
          AND l.epoch = a.epoch
        """);
  }

  // the count comes first: an assignment sees those before it
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

  // id IN (list) becomes a full scan when the list is much of the table, and waits for uncommitted
  // rows
  @Override
  public ByIds deleteReady() {
    return new ByIds.JsonPlaces(
        """
        DELETE o
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$[0]', id BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)
        """);
  }

  @Override
  public ByIds deleteParked() {
    return new ByIds.JsonPlaces(
        """
        DELETE o
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$[0]', id BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public ByIds deleteAnyParked() {
    return new ByIds.JsonPlaces(
        """
        DELETE o
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$[0]', id BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)
        """);
  }

  @Override
  public ByIds archiveReady() {
    return new ByIds.JsonPlaces(
        """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, {now}
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$[0]', id BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)
        """);
  }

  @Override
  public ByIds archiveParked() {
    return new ByIds.JsonPlaces(
        """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, {now}
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$[0]', id BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public KeyQuery takenArchive() {
    return new KeyQuery.Together(
        """
        SELECT t.lane, t.id
        FROM JSON_TABLE(:keys, '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
        STRAIGHT_JOIN {archive} t FORCE INDEX (PRIMARY)
          ON t.lane = a.lane AND t.id = a.id
        """);
  }

  @Override
  public KeyQuery behind() {
    return new KeyQuery.Together(
        """
        SELECT o.lane, o.id
        FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)
        WHERE EXISTS (
            SELECT 1
            FROM {parked} e FORCE INDEX ({index parked_keys})
            WHERE e.lane = o.lane
              AND e.topic = o.topic
              AND LENGTH(e.topic) = LENGTH(o.topic)
              AND e.msg_key = o.msg_key
              AND LENGTH(e.msg_key) = LENGTH(o.msg_key)
              AND e.id < o.id)
          OR EXISTS (
            SELECT 1
            FROM {dead} d FORCE INDEX ({index dead_holds})
            WHERE d.lane = o.lane
              AND d.holds = 1
              AND d.topic = o.topic
              AND LENGTH(d.topic) = LENGTH(o.topic)
              AND d.msg_key = o.msg_key
              AND LENGTH(d.msg_key) = LENGTH(o.msg_key)
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
          {now} + INTERVAL a.rest MICROSECOND, a.error, a.history
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id',
          parked_as BIGINT PATH '$.parked_as', reason VARCHAR(32) PATH '$.reason',
          attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest',
          error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)
        """);
  }

  @Override
  public KeyQuery takenParked() {
    return new KeyQuery.Together(
        """
        SELECT t.lane, t.id
        FROM JSON_TABLE(:keys, '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
        STRAIGHT_JOIN {parked} t FORCE INDEX (PRIMARY)
          ON t.lane = a.lane AND t.id = a.id AND t.cluster_id = {cluster}
        """);
  }

  @Override
  public ByIds reschedule() {
    return new ByIds.JsonRows(
        """
        UPDATE JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id',
          reason VARCHAR(32) PATH '$.reason',
          attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest',
          error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = {cluster}
        SET o.reason = a.reason,
          o.attempts = a.attempts,
          o.first_failed_at = COALESCE(o.first_failed_at, CASE WHEN a.attempts > 0 THEN {now} END),
          o.due_at = {now} + INTERVAL a.rest MICROSECOND,
          o.last_error = COALESCE(a.error, o.last_error),
          o.history = a.history
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
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id',
          reason VARCHAR(32) PATH '$.reason',
          attempts INT PATH '$.attempts', error MEDIUMTEXT PATH '$.error',
          history MEDIUMTEXT PATH '$.history', holds INT PATH '$.holds')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)
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
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id',
          reason VARCHAR(32) PATH '$.reason',
          attempts INT PATH '$.attempts', error MEDIUMTEXT PATH '$.error',
          history MEDIUMTEXT PATH '$.history', holds INT PATH '$.holds')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = {cluster}
        ORDER BY o.lane, o.id
        """);
  }

  @Override
  public KeyQuery heads() {
    return new KeyQuery.UnionAll(
        """
        (SELECT :n AS n, (
          SELECT p.id
          FROM {parked} p FORCE INDEX ({index parked_keys})
          WHERE p.lane = :lane
            AND p.topic = :topic
            AND LENGTH(p.topic) = LENGTH(:topic)
            AND p.msg_key = :msg_key
            AND LENGTH(p.msg_key) = LENGTH(:msg_key)
          ORDER BY p.id
          LIMIT 1) AS id, (
          SELECT d.id
          FROM {dead} d FORCE INDEX ({index dead_holds})
          WHERE d.lane = :lane
            AND d.holds = 1
            AND d.topic = :topic
            AND LENGTH(d.topic) = LENGTH(:topic)
            AND d.msg_key = :msg_key
            AND LENGTH(d.msg_key) = LENGTH(:msg_key)
          ORDER BY d.id
          LIMIT 1) AS hold)
        """);
  }

  @Override
  public ByIds wakeHeads() {
    return new ByIds.JsonRows(
        """
        UPDATE JSON_TABLE(:rows, '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.cluster_id = {cluster}
        SET o.due_at = COALESCE(o.due_at, {now})
        """);
  }

  @Override
  public LaneQuery dueHeads() {
    return new LaneQuery.UnionAll(
        """
        (SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
          CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)
              + COALESCE(LENGTH(o.history), 0) <= :inline
            THEN o.headers END AS headers,
          CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)
              + COALESCE(LENGTH(o.history), 0) <= :inline
            THEN o.payload END AS payload,
          CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)
              + COALESCE(LENGTH(o.history), 0) <= :inline
            THEN o.history END AS history,
          COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)
            + COALESCE(LENGTH(o.history), 0) AS weight,
          COALESCE(LENGTH(o.payload), 0) AS bytes,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
          TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
        FROM {parked} o FORCE INDEX ({index parked_heads})
        WHERE o.lane = :lane
          AND o.due_at <= {now}
          AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'),
            CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
          AND NOT EXISTS (
            SELECT 1
            FROM {parked} e FORCE INDEX ({index parked_keys})
            WHERE e.lane = o.lane
              AND e.topic = o.topic
              AND LENGTH(e.topic) = LENGTH(o.topic)
              AND e.msg_key = o.msg_key
              AND LENGTH(e.msg_key) = LENGTH(o.msg_key)
              AND e.id < o.id)
          AND NOT EXISTS (
            SELECT 1
            FROM {dead} d FORCE INDEX ({index dead_holds})
            WHERE d.lane = o.lane
              AND d.holds = 1
              AND d.topic = o.topic
              AND LENGTH(d.topic) = LENGTH(o.topic)
              AND d.msg_key = o.msg_key
              AND LENGTH(d.msg_key) = LENGTH(o.msg_key)
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
          CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)
              + COALESCE(LENGTH(o.history), 0) <= :inline
            THEN o.headers END AS headers,
          CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)
              + COALESCE(LENGTH(o.history), 0) <= :inline
            THEN o.payload END AS payload,
          CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)
              + COALESCE(LENGTH(o.history), 0) <= :inline
            THEN o.history END AS history,
          COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)
            + COALESCE(LENGTH(o.history), 0) AS weight,
          COALESCE(LENGTH(o.payload), 0) AS bytes,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
          TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
        FROM {parked} o FORCE INDEX ({index parked_keys})
        WHERE o.lane = :lane
          AND o.topic = :topic
          AND LENGTH(o.topic) = LENGTH(:topic)
          AND o.msg_key = :msg_key
          AND LENGTH(o.msg_key) = LENGTH(:msg_key)
          AND o.id > :id
          AND o.id < COALESCE((
            SELECT d.id
            FROM {dead} d FORCE INDEX ({index dead_holds})
            WHERE d.lane = :lane
              AND d.holds = 1
              AND d.topic = :topic
              AND LENGTH(d.topic) = LENGTH(:topic)
              AND d.msg_key = :msg_key
              AND LENGTH(d.msg_key) = LENGTH(:msg_key)
            ORDER BY d.id
            LIMIT 1), 9223372036854775807)
        ORDER BY o.id
        LIMIT :limit)
        """);
  }

  @Override
  public KeyQuery dueBodies() {
    return new KeyQuery.Together(
        """
        SELECT o.lane, o.id, o.payload, o.headers, o.history
        FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = {cluster}
        """);
  }

  @Override
  public LaneQuery releasable() {
    return new LaneQuery.UnionAll(
        """
        (SELECT o.lane, o.id
        FROM {parked} o FORCE INDEX ({index parked_heads})
        WHERE o.lane = :lane
          AND o.due_at IS NULL
          AND o.reason = 'TOPIC'
          AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'),
            CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
        ORDER BY o.id
        LIMIT :limit)
        """);
  }

  @Override
  public LaneQuery dueDelayed() {
    return new LaneQuery.UnionAll(
        """
        (SELECT d.lane, d.id, d.due_at
        FROM {delayed} d FORCE INDEX ({index delayed_heads})
        WHERE d.lane = :lane
          AND d.due_at <= {now}
          AND d.topic IS NOT NULL
        ORDER BY d.due_at, d.id
        LIMIT :limit)
        """);
  }

  @Override
  public ByIds promote() {
    return new ByIds.JsonIds(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at
        FROM JSON_TABLE(:ids, '$[*]' COLUMNS (id BIGINT PATH '$')) a
        STRAIGHT_JOIN {delayed} d FORCE INDEX (PRIMARY) ON d.id = a.id
        ORDER BY d.due_at, d.id
        """);
  }

  @Override
  public ByIds deleteDelayed() {
    return new ByIds.JsonIds(
        """
        DELETE d
        FROM JSON_TABLE(:ids, '$[*]' COLUMNS (id BIGINT PATH '$')) a
        STRAIGHT_JOIN {delayed} d FORCE INDEX (PRIMARY) ON d.id = a.id
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
            FROM {outbox} o FORCE INDEX (PRIMARY)
            WHERE CHAR_LENGTH(:held) = 2
              OR LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'),
              CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
            ORDER BY o.lane, o.id
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
              TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
            FROM {parked} o FORCE INDEX ({index parked_heads})
            WHERE o.lane = 0
              AND o.due_at <= {now}
              AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'),
                CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
            ORDER BY o.due_at
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
        FROM {parked} o FORCE INDEX ({index parked_heads})
        WHERE o.lane = 0
          AND o.due_at IS NULL
          AND o.reason = 'TOPIC'
          AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'),
            CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
        ORDER BY o.id
        LIMIT :limit
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public LockSql claimDelayed() {
    return new LockSql.Limited(
        """
        SELECT lane, id, due_at
        FROM {delayed} FORCE INDEX ({index delayed_heads})
        WHERE lane = 0
          AND due_at <= {now}
          AND topic IS NOT NULL
        ORDER BY due_at, id
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
          COALESCE(CAST(:first_failed_at AS DATETIME(6)), CASE WHEN :attempts > 0 THEN {now} END),
          COALESCE(CAST(:due AS DATETIME(6)), {now} + INTERVAL :rest MICROSECOND),
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
          AND (:msg_key IS NULL OR (msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key)))
          AND (:reason IS NULL OR reason = :reason)
          AND (:older IS NULL OR died_at <= {now} - INTERVAL :older MICROSECOND)
        ORDER BY dead_id
        LIMIT :limit
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}(:msg_key IS NULL OR (msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key)))
            AND (:reason IS NULL OR reason = :reason)
            AND (:older IS NULL OR died_at <= {now} - INTERVAL :older MICROSECOND)
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
          AND LENGTH(topic) = LENGTH(:topic)
          AND dead_id > :after
          AND (:reason IS NULL OR reason = :reason)
          AND (:older IS NULL OR died_at <= {now} - INTERVAL :older MICROSECOND)
        ORDER BY dead_id
        LIMIT :limit
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}topic = :topic
            AND LENGTH(topic) = LENGTH(:topic)
            AND (:reason IS NULL OR reason = :reason)
            AND (:older IS NULL OR died_at <= {now} - INTERVAL :older MICROSECOND)
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
          AND LENGTH(topic) = LENGTH(:topic)
          AND msg_key = :msg_key
          AND LENGTH(msg_key) = LENGTH(:msg_key)
          AND dead_id > :after
          AND (:reason IS NULL OR reason = :reason)
          AND (:older IS NULL OR died_at <= {now} - INTERVAL :older MICROSECOND)
        ORDER BY dead_id
        LIMIT :limit
        """,
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM {dead}
          WHERE {mine}topic = :topic
            AND LENGTH(topic) = LENGTH(:topic)
            AND msg_key = :msg_key
            AND LENGTH(msg_key) = LENGTH(:msg_key)
            AND (:reason IS NULL OR reason = :reason)
            AND (:older IS NULL OR died_at <= {now} - INTERVAL :older MICROSECOND)
          LIMIT :bound) counted
        """);
  }

  @Override
  public KeyQuery holders() {
    return new KeyQuery.Together(
        """
        SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
        FROM JSON_TABLE(:keys, '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY)
          ON d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND d.cluster_id = {cluster}
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
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY)
          ON d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND d.cluster_id = {cluster}
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
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY)
          ON d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND d.cluster_id = {cluster}
        WHERE d.holds = 1
        """);
  }

  @Override
  public ByIds deleteDead() {
    return new ByIds.JsonRows(
        """
        DELETE d
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY)
          ON d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND d.cluster_id = {cluster}
        """);
  }

  @Override
  public String purgeDead() {
    return """
        DELETE FROM {dead}
        WHERE died_at <= {now} - INTERVAL :retention MICROSECOND
          AND holds = 0
        ORDER BY died_at
        LIMIT :limit
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
            AND completed_at <= {now} - INTERVAL :retention MICROSECOND
            AND topic IS NOT NULL
          ORDER BY completed_at
          LIMIT :limit) a
        """;
  }

  @Override
  public String purgeArchive() {
    return """
        DELETE FROM {archive}
        WHERE completed_at >= :from
          AND completed_at <= :up_to
        ORDER BY completed_at
        LIMIT :limit
        """;
  }

  // two that wait for an INSERT of one key deadlock when it is rolled back, whatever its form
  @Override
  public SlotSql receiptSlots() {
    return new SlotSql.Locked(
        """
        SELECT s.slot
        FROM JSON_TABLE(:slots, '$[*]' COLUMNS (slot INT PATH '$')) a
        STRAIGHT_JOIN {receipt_slot} s FORCE INDEX (PRIMARY) ON s.slot = a.slot
        FOR UPDATE OF s
        """,
        SLOTS);
  }

  // an INSERT that meets a row shares a lock on it until the end; once that is deleted, on the gap
  @Override
  public OnceSql insertReceipts() {
    return new OnceSql.Looking(
        """
        SELECT a.n
        FROM JSON_TABLE(:keys, '$[*]' COLUMNS (n INT PATH '$.n', consumer VARCHAR(2040) PATH '$.consumer', message_id VARCHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {receipt} r FORCE INDEX (PRIMARY)
          ON r.consumer = UNHEX(a.consumer) AND r.message_id = UNHEX(a.message_id)
        """,
        new OnceSql.Tuples(
            """
        INSERT IGNORE INTO {receipt} (consumer, message_id, received_at, expires_at)
        VALUES
        """,
            """
        (CONVERT(:consumer USING utf8mb4), :message_id, {now}, {now} + INTERVAL :keep MICROSECOND)""",
            ""));
  }

  // a locking read by time would wait for the row behind the last one, which may not be committed
  @Override
  public PurgeSql purgeReceipts() {
    return new PurgeSql.FindLockDelete(
        """
        SELECT HEX(consumer) AS consumer, HEX(message_id) AS message_id
        FROM {receipt} FORCE INDEX ({index receipt_expires})
        WHERE expires_at <= {now}
        ORDER BY expires_at
        LIMIT :limit
        """,
        """
        SELECT a.consumer, a.message_id
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (consumer VARCHAR(2040) PATH '$.consumer', message_id VARCHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {receipt} r FORCE INDEX (PRIMARY)
          ON r.consumer = UNHEX(a.consumer) AND r.message_id = UNHEX(a.message_id)
        WHERE r.expires_at <= {now}
        FOR UPDATE OF r SKIP LOCKED
        """,
        """
        DELETE r
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (consumer VARCHAR(2040) PATH '$.consumer', message_id VARCHAR(32) PATH '$.message_id')) a
        STRAIGHT_JOIN {receipt} r FORCE INDEX (PRIMARY)
          ON r.consumer = UNHEX(a.consumer) AND r.message_id = UNHEX(a.message_id)
        """);
  }

  @Override
  public SlotSql dedupeSlots() {
    return new SlotSql.Locked(
        """
        SELECT s.slot
        FROM JSON_TABLE(:slots, '$[*]' COLUMNS (slot INT PATH '$')) a
        STRAIGHT_JOIN {dedupe_slot} s FORCE INDEX (PRIMARY) ON s.slot = a.slot
        FOR UPDATE OF s
        """,
        SLOTS);
  }

  @Override
  public OnceSql insertKeys() {
    return new OnceSql.Looking(
        """
        SELECT a.n
        FROM JSON_TABLE(:keys, '$[*]' COLUMNS (n INT PATH '$.n', topic VARCHAR(2040) PATH '$.topic', dedupe_key VARCHAR(2040) PATH '$.dedupe_key')) a
        STRAIGHT_JOIN {dedupe} d FORCE INDEX (PRIMARY)
          ON d.topic = UNHEX(a.topic) AND d.dedupe_key = UNHEX(a.dedupe_key)
        """,
        new OnceSql.Tuples(
            """
        INSERT IGNORE INTO {dedupe} (topic, dedupe_key, message_id, created_at, expires_at)
        VALUES
        """,
            """
        (CONVERT(:topic USING utf8mb4), CONVERT(:dedupe_key USING utf8mb4), :message_id, {now},
        {now} + INTERVAL :keep MICROSECOND)""",
            ""));
  }

  // a locking read sees what is committed, also at REPEATABLE READ
  @Override
  public String takenKey() {
    return """
        SELECT message_id, CASE WHEN expires_at <= {now} THEN 1 ELSE 0 END AS expired
        FROM {dedupe}
        WHERE topic = CONVERT(:topic USING utf8mb4)
          AND dedupe_key = CONVERT(:dedupe_key USING utf8mb4)
        FOR UPDATE
        """;
  }

  @Override
  public String retakeKey() {
    return """
        UPDATE {dedupe}
        SET message_id = :message_id,
          created_at = {now},
          expires_at = {now} + INTERVAL :keep MICROSECOND
        WHERE topic = CONVERT(:topic USING utf8mb4)
          AND dedupe_key = CONVERT(:dedupe_key USING utf8mb4)
          AND expires_at <= {now}
        """;
  }

  @Override
  public PurgeSql purgeKeys() {
    return new PurgeSql.FindLockDelete(
        """
        SELECT HEX(topic) AS topic, HEX(dedupe_key) AS dedupe_key
        FROM {dedupe} FORCE INDEX ({index dedupe_expires})
        WHERE expires_at <= {now}
        ORDER BY expires_at
        LIMIT :limit
        """,
        """
        SELECT a.topic, a.dedupe_key
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (topic VARCHAR(2040) PATH '$.topic', dedupe_key VARCHAR(2040) PATH '$.dedupe_key')) a
        STRAIGHT_JOIN {dedupe} d FORCE INDEX (PRIMARY)
          ON d.topic = UNHEX(a.topic) AND d.dedupe_key = UNHEX(a.dedupe_key)
        WHERE d.expires_at <= {now}
        FOR UPDATE OF d SKIP LOCKED
        """,
        """
        DELETE d
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (topic VARCHAR(2040) PATH '$.topic', dedupe_key VARCHAR(2040) PATH '$.dedupe_key')) a
        STRAIGHT_JOIN {dedupe} d FORCE INDEX (PRIMARY)
          ON d.topic = UNHEX(a.topic) AND d.dedupe_key = UNHEX(a.dedupe_key)
        """);
  }

  @Override
  public String beat() {
    return """
        INSERT INTO {relay} (relay, live_until, started_at, sharing)
        VALUES (:relay, {now} + INTERVAL :lifetime MICROSECOND, {now}, :sharing)
        ON DUPLICATE KEY UPDATE
          started_at = CASE WHEN live_until > {now} THEN started_at ELSE VALUES(started_at) END,
          live_until = VALUES(live_until),
          sharing = VALUES(sharing)
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
        WHERE live_until < {now} - INTERVAL 1 DAY
        """;
  }

  @Override
  public String topics() {
    return """
        SELECT CONVERT(topic USING utf8mb4) AS topic, paused, strict, rate_limit, in_flight_cap
        FROM {topic}
        """;
  }

  @Override
  public String lockTopic() {
    return """
        SELECT CONVERT(topic USING utf8mb4) AS topic, paused, strict, rate_limit, in_flight_cap
        FROM {topic}
        WHERE topic = CONVERT(:topic USING utf8mb4)
        FOR UPDATE
        """;
  }

  @Override
  public String insertTopic() {
    return """
        INSERT INTO {topic} (topic, paused, strict, rate_limit, in_flight_cap)
        VALUES (CONVERT(:topic USING utf8mb4), :paused, :strict, :rate_limit, :in_flight_cap)
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
        WHERE topic = CONVERT(:topic USING utf8mb4)
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
        (SELECT :lane AS lane, (
          SELECT TIMESTAMPDIFF(MICROSECOND, o.created_at, {now})
          FROM {outbox} o FORCE INDEX (PRIMARY)
          WHERE o.lane = :lane
            AND o.id > :after
          ORDER BY o.id
          LIMIT 1) AS ready_age, (
          SELECT TIMESTAMPDIFF(MICROSECOND, o.due_at, {now})
          FROM {parked} o FORCE INDEX ({index parked_heads})
          WHERE o.lane = :lane
            AND o.due_at <= {now}
            AND o.content_type IS NOT NULL
          ORDER BY o.due_at
          LIMIT 1) AS due_age)
        """);
  }

  // who locks a table to write has a number by then, but takes the message's id a moment before
  @Override
  public WritersSql writers() {
    return new WritersSql.Copied(
        """
        SELECT lane
        FROM {lane}
        WHERE lane = 0
        """,
        """
        SELECT CAST(trx_id AS CHAR) AS name,
          CASE WHEN trx_mysql_thread_id = CONNECTION_ID() THEN trx_query END AS own
        FROM information_schema.innodb_trx
        WHERE trx_tables_locked > 0
          OR trx_mysql_thread_id = CONNECTION_ID()
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

  @Override
  public LimitSql limits() {
    return new LimitSql(
        """
        SELECT @@SESSION.innodb_lock_wait_timeout AS lock_wait,
          @@SESSION.wait_timeout AS idle,
          @@SESSION.max_execution_time AS statement
        """,
        """
        SET SESSION innodb_lock_wait_timeout = :lock_wait,
          SESSION wait_timeout = :idle,
          SESSION max_execution_time = :statement
        """,
        limits ->
            Map.of(
                "lock_wait", Math.max(1, limits.lockWait().toSeconds()),
                "idle", Math.max(1, limits.idle().toSeconds()),
                "statement", Math.max(1, limits.statement().toMillis())));
  }

  @Override
  public FaultCodes faults() {
    return new FaultCodes(
        Map.ofEntries(
            entry(1213, Fault.RETRY),
            entry(1205, Fault.RETRY),
            entry(3572, Fault.RETRY),
            entry(1053, Fault.CONNECTION),
            entry(1158, Fault.CONNECTION),
            entry(1159, Fault.CONNECTION),
            entry(1160, Fault.CONNECTION),
            entry(1161, Fault.CONNECTION),
            entry(1184, Fault.CONNECTION),
            entry(4031, Fault.CONNECTION),
            entry(1040, Fault.PASSING),
            entry(1203, Fault.PASSING),
            entry(1226, Fault.PASSING),
            entry(1317, Fault.PASSING),
            entry(3024, Fault.SLOW),
            entry(1021, Fault.PASSING),
            entry(1114, Fault.PASSING),
            entry(1290, Fault.READ_ONLY),
            entry(1792, Fault.READ_ONLY),
            entry(1836, Fault.READ_ONLY),
            entry(1049, Fault.MISSING),
            entry(1054, Fault.MISSING),
            entry(1146, Fault.MISSING),
            entry(1176, Fault.MISSING),
            entry(1060, Fault.EXISTS),
            entry(1061, Fault.EXISTS),
            entry(1091, Fault.EXISTS),
            entry(3821, Fault.EXISTS),
            entry(3822, Fault.EXISTS),
            entry(1044, Fault.DENIED),
            entry(1142, Fault.DENIED),
            entry(1143, Fault.DENIED),
            entry(1227, Fault.DENIED),
            entry(1062, Fault.DUPLICATE)),
        Map.of("S1009", Fault.READ_ONLY));
  }

  @Override
  public String clock() {
    return "UTC_TIMESTAMP(6)";
  }

  @Override
  public String boundClock() {
    return "CAST(:now AS DATETIME(6))";
  }

  @Override
  public String now() {
    return """
        SELECT {now} AS now
        """;
  }

  @Override
  public Object bind(MessageId id) {
    return id.toBytes();
  }

  @Override
  public MessageId messageId(ResultSet row, int column) throws SQLException {
    return MessageId.fromBytes(row.getBytes(column));
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
    return "LIMIT :limit";
  }

  @Override
  public int maxIdentifier() {
    return 64;
  }
}
