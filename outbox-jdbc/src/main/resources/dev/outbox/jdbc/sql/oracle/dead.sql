-- name: retrying  shape: union all
SELECT *
FROM (
  SELECT /*+ INDEX(p (lane due_at reason id topic)) */ p.message_id, p.topic, p.msg_key, p.attempts, p.due_at, p.last_error
  FROM {parked} p
  WHERE p.lane = :lane
    AND p.due_at IS NOT NULL
    AND p.attempts > 0
    AND (CAST(:only AS VARCHAR2(255 CHAR)) IS NULL OR p.topic = CAST(:only AS VARCHAR2(255 CHAR)))
  ORDER BY p.due_at
  FETCH FIRST :limit ROWS ONLY)

-- name: holders  shape: union all
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
FROM {dead} d
WHERE d.dead_id = :id
  AND d.message_id = :message_id
  AND d.cluster_id = {cluster}
  AND d.holds = 1

-- name: purgeDead
DELETE FROM {dead}
WHERE {mine}died_at <= {now} - NUMTODSINTERVAL(:retention * 0.000001, 'SECOND')
  AND holds = 0
  AND ROWNUM <= :limit

-- name: oldArchive
SELECT MAX(a.completed_at) AS up_to
FROM (
  SELECT completed_at
  FROM {archive}
  WHERE {ours}completed_at >= :from
    AND completed_at <= {now} - NUMTODSINTERVAL(:retention * 0.000001, 'SECOND')
  ORDER BY completed_at
  FETCH FIRST :limit ROWS ONLY) a

-- name: purgeArchive
-- along the index, or ROWNUM would leave older ones behind of many that were completed together
DELETE /*+ INDEX(a (completed_at)) */ FROM {archive} a
WHERE {ours}completed_at >= :from
  AND completed_at <= :up_to
  AND ROWNUM <= :limit
