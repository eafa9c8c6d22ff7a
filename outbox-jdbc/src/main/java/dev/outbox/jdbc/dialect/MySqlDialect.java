package dev.outbox.jdbc.dialect;

import static java.util.Map.entry;

import dev.outbox.message.MessageId;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
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
public final class MySqlDialect implements Dialect {

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
        SELECT lane, epoch, floor
        FROM {lane}
        WHERE lane BETWEEN :first AND :last
          AND (owner IS NULL
            OR lease_until <= {now}
            OR lease_until > {now} + INTERVAL 2 * :lease MICROSECOND)
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
          lease_until = {now} + INTERVAL :lease MICROSECOND
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
        """);
  }

  @Override
  public LaneQuery ready() {
    return new LaneQuery.UnionAll(
        """
        (SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired
        FROM {outbox} o FORCE INDEX (PRIMARY)
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
            ELSE {now} + INTERVAL :lease MICROSECOND END,
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

  // id IN (list) becomes a full scan when the list is much of the table, and waits for uncommitted
  // rows
  @Override
  public ByIds deleteReady() {
    return new ByIds.JsonRows(
        """
        DELETE o
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id
        """);
  }

  @Override
  public ByIds deleteParked() {
    return new ByIds.JsonRows(
        """
        DELETE o
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.cluster_id = 0
        """);
  }

  @Override
  public ByIds archiveReady() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, {now}
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id
        """);
  }

  @Override
  public ByIds archiveParked() {
    return new ByIds.JsonRows(
        """
        INSERT INTO {archive}
          (lane, id, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at, completed_at)
        SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, {now}
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.cluster_id = 0
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
          {now} + INTERVAL a.rest MICROSECOND, a.error, a.history
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', reason VARCHAR(32) PATH '$.reason',
          attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest',
          error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id
        """);
  }

  @Override
  public ByIds reschedule() {
    return new ByIds.JsonRows(
        """
        UPDATE JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', reason VARCHAR(32) PATH '$.reason',
          attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest',
          error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.cluster_id = 0
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
          reason, attempts, last_error, history, died_at)
        SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
          o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
          a.reason, a.attempts, a.error, a.history, {now}
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', reason VARCHAR(32) PATH '$.reason',
          attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest',
          error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history')) a
        STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
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
        FROM JSON_TABLE(:rows, '$[*]' COLUMNS (
          lane INT PATH '$.lane', id BIGINT PATH '$.id', reason VARCHAR(32) PATH '$.reason',
          attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest',
          error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.cluster_id = 0
        ORDER BY o.lane, o.id
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
          AND LENGTH(p.topic) = LENGTH(:topic)
          AND p.msg_key = :msg_key
          AND LENGTH(p.msg_key) = LENGTH(:msg_key)
        ORDER BY p.id
        LIMIT 1
        """);
  }

  @Override
  public ByIds wakeHeads() {
    return new ByIds.JsonRows(
        """
        UPDATE JSON_TABLE(:rows, '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
        STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
          ON o.lane = a.lane AND o.id = a.id AND o.cluster_id = 0
        SET o.due_at = COALESCE(o.due_at, {now})
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
          TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.due_at <= {now}
          AND NOT EXISTS (
            SELECT 1
            FROM {parked} e
            WHERE e.lane = o.lane
              AND e.topic = o.topic
              AND LENGTH(e.topic) = LENGTH(o.topic)
              AND e.msg_key = o.msg_key
              AND LENGTH(e.msg_key) = LENGTH(o.msg_key)
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
          TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
        FROM {parked} o
        WHERE o.lane = :lane
          AND o.topic = :topic
          AND LENGTH(o.topic) = LENGTH(:topic)
          AND o.msg_key = :msg_key
          AND LENGTH(o.msg_key) = LENGTH(:msg_key)
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
            FROM {parked} o
            WHERE o.lane = 0
              AND o.due_at <= {now}
            ORDER BY o.due_at
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
          (:lane, :id, 0, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
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
    return new ByIds.JsonIds(
        """
        INSERT INTO {outbox}
          (lane, message_id, topic, msg_key, headers, content_type, payload,
          ref_table, ref_id, origin, not_after, created_at)
        SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload,
          d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at
        FROM JSON_TABLE(:ids, '$[*]' COLUMNS (id BIGINT PATH '$')) a
        STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY) ON d.dead_id = a.id AND d.cluster_id = 0
        ORDER BY d.dead_id
        """);
  }

  @Override
  public ByIds deleteDead() {
    return new ByIds.JsonIds(
        """
        DELETE d
        FROM JSON_TABLE(:ids, '$[*]' COLUMNS (id BIGINT PATH '$')) a
        STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY) ON d.dead_id = a.id AND d.cluster_id = 0
        """);
  }

  @Override
  public String purgeDead() {
    return """
        DELETE FROM {dead}
        WHERE died_at <= {now} - INTERVAL :retention MICROSECOND
        ORDER BY died_at
        LIMIT :limit
        """;
  }

  @Override
  public String purgeArchive() {
    return """
        DELETE FROM {archive}
        WHERE completed_at <= {now} - INTERVAL :retention MICROSECOND
        ORDER BY completed_at
        LIMIT :limit
        """;
  }

  @Override
  public String beat() {
    return """
        INSERT INTO {relay} (relay, live_until, started_at)
        VALUES (:relay, {now} + INTERVAL :lifetime MICROSECOND, {now})
        ON DUPLICATE KEY UPDATE live_until = VALUES(live_until)
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
        WHERE live_until < {now} - INTERVAL 1 DAY
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
            entry(3024, Fault.PASSING),
            entry(1021, Fault.PASSING),
            entry(1114, Fault.PASSING),
            entry(1290, Fault.READ_ONLY),
            entry(1792, Fault.READ_ONLY),
            entry(1836, Fault.READ_ONLY),
            entry(1049, Fault.MISSING),
            entry(1054, Fault.MISSING),
            entry(1146, Fault.MISSING),
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
  public MessageId messageId(ResultSet row, String column) throws SQLException {
    return MessageId.fromBytes(row.getBytes(column));
  }

  @Override
  public Object bind(Instant instant) {
    return LocalDateTime.ofInstant(instant.truncatedTo(ChronoUnit.MICROS), ZoneOffset.UTC);
  }

  @Override
  public @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    LocalDateTime value = row.getObject(column, LocalDateTime.class);
    return value == null ? null : value.toInstant(ZoneOffset.UTC);
  }

  @Override
  public int maxIdentifier() {
    return 64;
  }
}
