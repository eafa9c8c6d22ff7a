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
  public AppendSql append() {
    return new AppendSql.Tuples(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload, not_after)
        VALUES
        """,
        """
        (:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :not_after)""");
  }

  @Override
  public AppendSql appendDelayed() {
    return new AppendSql.Tuples(
        """
        INSERT INTO {delayed}
          (lane, message_id, topic, msg_key, headers, content_type, payload, not_after, due_at)
        VALUES
        """,
        """
        (:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :not_after,
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
        SELECT lane, epoch, floor
        FROM {lane}
        WHERE lane BETWEEN :first AND :last
          AND (owner IS NULL
            OR lease_until <= {now}
            OR lease_until > {now} + 2 * CAST(:lease AS bigint) * INTERVAL '1 microsecond')
        ORDER BY lane
        LIMIT :limit
        FOR UPDATE SKIP LOCKED
        """);
  }

  @Override
  public String leaseLane() {
    return """
        UPDATE {lane}
        SET takeovers = CASE WHEN owner IS NULL THEN 0 ELSE takeovers + 1 END,
          owner = :owner,
          epoch = epoch + 1,
          lease_until = {now} + CAST(:lease AS bigint) * INTERVAL '1 microsecond'
        WHERE lane = :lane
        """;
  }

  @Override
  public LaneQuery heldKeys() {
    return new LaneQuery.Arrays(
        """
        SELECT DISTINCT p.lane, p.topic, p.msg_key
        FROM {parked} p
        WHERE p.lane = ANY(CAST(:lanes AS integer[]))
          AND p.msg_key IS NOT NULL
        """);
  }

  @Override
  public LaneQuery ready() {
    return new LaneQuery.Arrays(
        """
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired
        FROM unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[]), CAST(:limits AS integer[]))
          AS c (lane, after, bound)
        CROSS JOIN LATERAL (
          SELECT *
          FROM {outbox} r
          WHERE r.lane = c.lane
            AND r.id > c.after
          ORDER BY r.id
          LIMIT c.bound) o
        ORDER BY o.lane, o.id
        """);
  }

  @Override
  public String fence() {
    return """
        UPDATE {lane}
        SET settles = settles + 1,
          floor = :floor,
          takeovers = takeovers * :keep,
          lease_until = CASE WHEN :release = 1 THEN NULL
            ELSE {now} + CAST(:lease AS bigint) * INTERVAL '1 microsecond' END,
          owner = CASE WHEN :release = 1 THEN NULL ELSE owner END
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
  public ByIds deleteReady() {
    return new ByIds.LaneArray(
        """
        DELETE FROM {outbox}
        WHERE lane = :lane
          AND id = ANY(CAST(:ids AS bigint[]))
        """);
  }

  @Override
  public ByIds deleteParked() {
    return new ByIds.LaneArray(
        """
        DELETE FROM {parked}
        WHERE lane = :lane
          AND id = ANY(CAST(:ids AS bigint[]))
          AND cluster_id = 0
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
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = ANY(CAST(:ids AS bigint[]))
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
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.id = ANY(CAST(:ids AS bigint[]))
          AND o.cluster_id = 0
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
        SELECT o.lane, o.id, 0, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          a.reason, a.attempts, CASE WHEN a.attempts > 0 THEN {now} END,
          {now} + a.rest * INTERVAL '1 microsecond', a.error, a.history
        FROM jsonb_to_recordset(CAST(:rows AS jsonb))
          AS a (lane integer, id bigint, reason text, attempts integer, rest bigint, error text, history text)
        JOIN {outbox} o
          ON o.lane = a.lane AND o.id = a.id
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
          AS a (lane integer, id bigint, reason text, attempts integer, rest bigint, error text, history text)
        WHERE p.lane = a.lane
          AND p.id = a.id
          AND p.cluster_id = 0
        """);
  }

  @Override
  public ByIds buryReady() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, last_error, history, died_at)
        SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          a.reason, a.attempts, a.error, a.history, {now}
        FROM jsonb_to_recordset(CAST(:rows AS jsonb))
          AS a (lane integer, id bigint, reason text, attempts integer, error text, history text)
        JOIN {outbox} o
          ON o.lane = a.lane AND o.id = a.id
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
          reason, attempts, last_error, history, died_at)
        SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          a.reason, a.attempts, a.error, a.history, {now}
        FROM jsonb_to_recordset(CAST(:rows AS jsonb))
          AS a (lane integer, id bigint, reason text, attempts integer, error text, history text)
        JOIN {parked} o
          ON o.lane = a.lane AND o.id = a.id AND o.cluster_id = 0
        ORDER BY o.lane, o.id
        """);
  }

  @Override
  public KeyQuery heads() {
    return new KeyQuery.Together(
        """
        SELECT k.lane, k.topic, k.msg_key, h.id
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS k (lane integer, topic text, msg_key text)
        CROSS JOIN LATERAL (
          SELECT p.id
          FROM {parked} p
          WHERE p.lane = k.lane
            AND p.topic = k.topic
            AND p.msg_key = k.msg_key
          ORDER BY p.id
          LIMIT 1) h
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
          AND cluster_id = 0
          AND due_at IS NULL
        """);
  }

  @Override
  public LaneQuery dueHeads() {
    return new LaneQuery.Arrays(
        """
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
          o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
          CAST(EXTRACT(EPOCH FROM {now} - o.first_failed_at) * 1000000 AS bigint) AS failing
        FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
        CROSS JOIN LATERAL (
          SELECT *
          FROM {parked} p
          WHERE p.lane = c.lane
            AND p.due_at <= {now}
            AND NOT EXISTS (
              SELECT 1
              FROM {parked} e
              WHERE e.lane = p.lane
                AND e.topic = p.topic
                AND e.msg_key = p.msg_key
                AND e.id < p.id)
          ORDER BY p.due_at, p.id
          LIMIT c.bound) o
        ORDER BY o.lane, o.due_at, o.id
        """);
  }

  @Override
  public KeyQuery followers() {
    return new KeyQuery.Together(
        """
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
          o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
          CAST(EXTRACT(EPOCH FROM {now} - o.first_failed_at) * 1000000 AS bigint) AS failing
        FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS k (lane integer, topic text, msg_key text, id bigint)
        CROSS JOIN LATERAL (
          SELECT *
          FROM {parked} p
          WHERE p.lane = k.lane
            AND p.topic = k.topic
            AND p.msg_key = k.msg_key
            AND p.id > k.id
          ORDER BY p.id
          LIMIT :limit) o
        ORDER BY o.lane, o.topic, o.msg_key, o.id
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
          (:lane, :id, 0, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
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
          reason, attempts, last_error, history, died_at)
        VALUES
          (0, :lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
          :ref_table, :ref_id, :origin, :not_after, :created_at,
          :reason, :attempts, :error, :history, {now})
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
  public String deadPage() {
    return """
        SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, 0 AS expired,
          reason, attempts, last_error, history, died_at
        FROM {dead}
        WHERE dead_id > :after
        ORDER BY dead_id
        LIMIT :limit
        """;
  }

  @Override
  public String deadCount() {
    return """
        SELECT COUNT(*)
        FROM (SELECT 1 AS one FROM {dead} LIMIT :bound) counted
        """;
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
        FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint)
        JOIN {dead} d
          ON d.dead_id = a.id AND d.cluster_id = 0
        ORDER BY d.dead_id
        """);
  }

  @Override
  public ByIds deleteDead() {
    return new ByIds.JsonRows(
        """
        DELETE FROM {dead} d
        USING jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint)
        WHERE d.dead_id = a.id
          AND d.cluster_id = 0
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
          ORDER BY d.died_at
          LIMIT :limit))
        """;
  }

  @Override
  public String purgeArchive() {
    return """
        DELETE FROM {archive}
        WHERE ctid = ANY(ARRAY(
          SELECT a.ctid
          FROM {archive} a
          WHERE a.completed_at <= {now} - CAST(:retention AS bigint) * INTERVAL '1 microsecond'
          ORDER BY a.completed_at
          LIMIT :limit))
        """;
  }

  @Override
  public String beat() {
    return """
        INSERT INTO {relay} (relay, live_until, started_at)
        VALUES (:relay, {now} + CAST(:lifetime AS bigint) * INTERVAL '1 microsecond', {now})
        ON CONFLICT (relay) DO UPDATE SET live_until = EXCLUDED.live_until
        """;
  }

  @Override
  public String liveRelays() {
    return """
        SELECT relay
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
  public String layout() {
    return """
        SELECT schema_version, lanes, claiming
        FROM {meta}
        """;
  }

  @Override
  public LimitSql limits() {
    return new LimitSql(
        """
        SELECT current_setting('lock_timeout') AS lock_wait,
          current_setting('idle_in_transaction_session_timeout') AS idle,
          current_setting('statement_timeout') AS statement
        """,
        """
        SELECT set_config('lock_timeout', :lock_wait, false),
          set_config('idle_in_transaction_session_timeout', :idle, false),
          set_config('statement_timeout', :statement, false)
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
            entry("57014", Fault.PASSING),
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
  public MessageId messageId(ResultSet row, String column) throws SQLException {
    return new MessageId(row.getObject(column, UUID.class));
  }

  @Override
  public Object bind(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
    return value == null ? null : value.toInstant();
  }

  @Override
  public int maxIdentifier() {
    return 63;
  }
}
