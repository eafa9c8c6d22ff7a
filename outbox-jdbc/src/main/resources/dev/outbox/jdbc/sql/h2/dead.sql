-- name: retrying  shape: union all
(SELECT p.message_id, p.topic, p.msg_key, p.attempts, p.due_at, p.last_error
FROM {parked} p
WHERE p.lane = :lane
  AND p.due_at IS NOT NULL
  AND p.attempts > 0
  AND (CAST(:only AS varchar) IS NULL OR p.topic = CAST(:only AS varchar))
ORDER BY p.due_at
FETCH FIRST :limit ROWS ONLY)

-- name: holders  shape: union all
(SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
FROM {dead} d
WHERE d.dead_id = :id
  AND d.message_id = :message_id
  AND d.cluster_id = {cluster}
  AND d.holds = 1)

-- name: purgeDead
DELETE FROM {dead}
WHERE {mine}died_at <= DATEADD(MICROSECOND, -CAST(:retention AS bigint), {now})
  AND holds = 0
FETCH FIRST :limit ROWS ONLY

-- name: oldArchive
SELECT MAX(a.completed_at) AS up_to
FROM (
  SELECT completed_at
  FROM {archive}
  WHERE {ours}completed_at >= :from
    AND completed_at <= DATEADD(MICROSECOND, -CAST(:retention AS bigint), {now})
  ORDER BY completed_at
  FETCH FIRST :limit ROWS ONLY) a

-- name: purgeArchive
DELETE FROM {archive}
WHERE {ours}completed_at >= :from
  AND completed_at <= :up_to
FETCH FIRST :limit ROWS ONLY
