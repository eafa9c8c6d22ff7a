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
        SELECT lane, epoch, floor
        FROM {lane}
        WHERE lane BETWEEN :first AND :last
          AND (owner IS NULL
            OR lease_until <= {now}
            OR lease_until > DATEADD(MICROSECOND, 2 * CAST(:lease AS bigint), {now}))
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
          lease_until = DATEADD(MICROSECOND, CAST(:lease AS bigint), {now})
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
        """);
  }

  @Override
  public LaneQuery ready() {
    return new LaneQuery.UnionAll(
        """
        (SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id > :after
        ORDER BY o.id
        LIMIT :limit)
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
            ELSE DATEADD(MICROSECOND, CAST(:lease AS bigint), {now}) END,
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
    return new ByIds.EachRow(
        """
        DELETE FROM {outbox}
        WHERE lane = :lane
          AND id = :id
        """);
  }

  @Override
  public ByIds deleteParked() {
    return new ByIds.EachRow(
        """
        DELETE FROM {parked}
        WHERE lane = :lane
          AND id = :id
          AND cluster_id = 0
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
          AND o.cluster_id = 0
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
        SELECT o.lane, o.id, 0, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          :reason, :attempts, CASE WHEN :attempts > 0 THEN {now} END,
          DATEADD(MICROSECOND, CAST(:rest AS bigint), {now}), :error, :history
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = :id
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
          AND p.cluster_id = 0
        """);
  }

  @Override
  public ByIds buryReady() {
    return new ByIds.EachRow(
        """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, last_error, history, died_at)
        SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          :reason, :attempts, :error, :history, {now}
        FROM {outbox} o
        WHERE o.lane = :lane
          AND o.id = :id
        """);
  }

  @Override
  public ByIds buryParked() {
    return new ByIds.EachRow(
        """
        INSERT INTO {dead}
          (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at,
          reason, attempts, last_error, history, died_at)
        SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          :reason, :attempts, :error, :history, {now}
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.id = :id
          AND o.cluster_id = 0
        """);
  }

  @Override
  public KeyQuery heads() {
    return new KeyQuery.Each(
        """
        SELECT p.lane, p.topic, p.msg_key, p.id
        FROM {parked} p
        WHERE p.lane = :lane
          AND p.topic = :topic
          AND p.msg_key = :msg_key
        ORDER BY p.id
        LIMIT 1
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
          AND cluster_id = 0
          AND due_at IS NULL
        """);
  }

  @Override
  public LaneQuery dueHeads() {
    return new LaneQuery.UnionAll(
        """
        (SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
          o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
          DATEDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.due_at <= {now}
          AND NOT EXISTS (
            SELECT 1
            FROM {parked} e
            WHERE e.lane = o.lane
              AND e.topic = o.topic
              AND e.msg_key = o.msg_key
              AND e.id < o.id)
        ORDER BY o.due_at, o.id
        LIMIT :limit)
        """);
  }

  @Override
  public KeyQuery followers() {
    return new KeyQuery.Each(
        """
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
          o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
          DATEDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.topic = :topic
          AND o.msg_key = :msg_key
          AND o.id > :id
        ORDER BY o.id
        LIMIT :limit
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
            LIMIT :limit
            FOR UPDATE SKIP LOCKED
            """),
        deleteParked());
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
          (:lane, :id, 0, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
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
    return new ByIds.EachRow(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at
        FROM {dead} d
        WHERE d.dead_id = :id
          AND d.cluster_id = 0
        """);
  }

  @Override
  public ByIds deleteDead() {
    return new ByIds.EachRow(
        """
        DELETE FROM {dead} d
        WHERE d.dead_id = :id
          AND d.cluster_id = 0
        """);
  }

  @Override
  public String purgeDead() {
    return """
        DELETE FROM {dead}
        WHERE died_at <= DATEADD(MICROSECOND, -CAST(:retention AS bigint), {now})
        FETCH FIRST :limit ROWS ONLY
        """;
  }

  @Override
  public String purgeArchive() {
    return """
        DELETE FROM {archive}
        WHERE completed_at <= DATEADD(MICROSECOND, -CAST(:retention AS bigint), {now})
        FETCH FIRST :limit ROWS ONLY
        """;
  }

  @Override
  public String beat() {
    return """
        MERGE INTO {relay} r
        USING (VALUES (CAST(:relay AS varchar(255)))) AS b (relay)
          ON r.relay = b.relay
        WHEN MATCHED THEN
          UPDATE SET live_until = DATEADD(MICROSECOND, CAST(:lifetime AS bigint), {now})
        WHEN NOT MATCHED THEN
          INSERT (relay, live_until, started_at)
          VALUES (b.relay, DATEADD(MICROSECOND, CAST(:lifetime AS bigint), {now}), {now})
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
        WHERE live_until < DATEADD(DAY, -1, {now})
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
        SELECT CAST(LOCK_TIMEOUT() AS integer) AS lock_wait
        """,
        """
        SET LOCK_TIMEOUT :lock_wait
        """,
        limits -> Map.of("lock_wait", Math.toIntExact(Math.max(1, limits.lockWait().toMillis()))));
  }

  @Override
  public FaultCodes faults() {
    return new FaultCodes(
        Map.ofEntries(
            entry(40001, Fault.RETRY),
            entry(50200, Fault.RETRY),
            entry(90131, Fault.RETRY),
            entry(57014, Fault.PASSING),
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
    return 256;
  }
}
