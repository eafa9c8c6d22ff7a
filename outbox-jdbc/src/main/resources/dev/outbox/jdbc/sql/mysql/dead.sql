-- name: retrying  shape: union all
(SELECT p.message_id, p.topic, p.msg_key, p.attempts, p.due_at, p.last_error
FROM {parked} p FORCE INDEX ({index parked_heads})
WHERE p.lane = :lane
  AND p.due_at IS NOT NULL
  AND p.attempts > 0
  AND (:only IS NULL OR (p.topic = :only AND LENGTH(p.topic) = LENGTH(:only)))
ORDER BY p.due_at
LIMIT :limit)

-- name: holders  shape: together
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY)
  ON {same_dead}
WHERE d.holds = 1

-- name: replay  shape: json rows
INSERT INTO {outbox}
  (lane, {columns})
SELECT d.lane, {d.columns}
FROM {dead_rows}
STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY)
  ON {same_dead}
ORDER BY d.dead_id

-- name: replayHolders  shape: json rows
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, due_at, last_error, history)
SELECT d.lane, d.id, {cluster}, {d.columns},
  'FAILED', 0, {now}, d.last_error, d.history
FROM {dead_rows}
STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY)
  ON {same_dead}
WHERE d.holds = 1

-- name: deleteDead  shape: json rows
DELETE d
FROM {dead_rows}
STRAIGHT_JOIN {dead} d FORCE INDEX (PRIMARY)
  ON {same_dead}

-- name: purgeDead
DELETE FROM {dead}
WHERE {mine}died_at <= {now} - INTERVAL :retention MICROSECOND
  AND holds = 0
ORDER BY died_at
LIMIT :limit

-- name: oldArchive
SELECT MAX(a.completed_at) AS up_to
FROM (
  SELECT completed_at
  FROM {archive}
  WHERE {ours}completed_at >= :from
    AND completed_at <= {now} - INTERVAL :retention MICROSECOND
    AND topic IS NOT NULL
  ORDER BY completed_at
  LIMIT :limit) a

-- name: purgeArchive
DELETE FROM {archive}
WHERE {ours}completed_at >= :from
  AND completed_at <= :up_to
ORDER BY completed_at
LIMIT :limit
