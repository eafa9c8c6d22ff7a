-- name: retrying  shape: arrays
SELECT o.message_id, o.topic, o.msg_key, o.attempts, o.due_at, o.last_error
FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
CROSS JOIN LATERAL (
  SELECT *
  FROM {parked} p
  WHERE p.lane = c.lane
    AND p.due_at IS NOT NULL
    AND p.attempts > 0
    AND (CAST(:only AS text) IS NULL OR p.topic = CAST(:only AS text))
  ORDER BY p.due_at
  LIMIT c.bound) o

-- name: holders  shape: together
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (id bigint, message_id uuid)
JOIN {dead} d
  ON d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = {cluster}
WHERE d.holds = 1

-- name: replay  shape: json rows
INSERT INTO {outbox}
  (lane, {columns})
SELECT d.lane, {d.columns}
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid)
JOIN {dead} d
  ON d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = {cluster}
ORDER BY d.dead_id

-- name: replayHolders  shape: json rows
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, due_at, last_error, history)
SELECT d.lane, d.id, {cluster}, {d.columns},
  'FAILED', 0, {now}, d.last_error, d.history
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid)
JOIN {dead} d
  ON d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = {cluster}
WHERE d.holds = 1

-- name: deleteDead  shape: json rows
DELETE FROM {dead} d
USING jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid)
WHERE d.dead_id = a.id
  AND d.message_id = a.message_id
  AND d.cluster_id = {cluster}

-- name: purgeDead
-- no lock: it would need the grant to update. A ctid names a row of each partition, so the condition
-- is asked again; behind CASE, where no other index looks cheaper than the ctid
DELETE FROM {dead}
WHERE ctid = ANY(ARRAY(
    SELECT ctid
    FROM {dead}
    WHERE {old}
    ORDER BY died_at
    LIMIT :limit))
  AND CASE WHEN {old} THEN true END

-- fragment: purgeDead.old
{mine}died_at <= {now} - CAST(:retention AS bigint) * INTERVAL '1 microsecond' AND holds = 0

-- name: oldArchive
SELECT max(a.completed_at) AS up_to
FROM (
  SELECT completed_at
  FROM {archive}
  WHERE {ours}completed_at >= :from
    AND completed_at <= {now} - CAST(:retention AS bigint) * INTERVAL '1 microsecond'
  ORDER BY completed_at
  LIMIT :limit) a

-- name: purgeArchive
-- the condition is asked again for the reason at purgeDead
DELETE FROM {archive}
WHERE ctid = ANY(ARRAY(
    SELECT ctid
    FROM {archive}
    WHERE {old}
    ORDER BY completed_at
    LIMIT :limit))
  AND CASE WHEN {old} THEN true END

-- fragment: purgeArchive.old
{ours}completed_at >= :from AND completed_at <= :up_to
