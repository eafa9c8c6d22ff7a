-- name: holders  shape: union all
(SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key
FROM {dead} d
WHERE d.dead_id = :id
  AND d.message_id = :message_id
  AND d.cluster_id = {cluster}
  AND d.holds = 1)

-- name: purgeDead
DELETE FROM {dead}
WHERE died_at <= DATEADD(MICROSECOND, -CAST(:retention AS bigint), {now})
  AND holds = 0
FETCH FIRST :limit ROWS ONLY

-- name: oldArchive
SELECT MAX(a.completed_at) AS up_to
FROM (
  SELECT completed_at
  FROM {archive}
  WHERE completed_at >= :from
    AND completed_at <= DATEADD(MICROSECOND, -CAST(:retention AS bigint), {now})
  ORDER BY completed_at
  FETCH FIRST :limit ROWS ONLY) a

-- name: purgeArchive
DELETE FROM {archive}
WHERE completed_at >= :from
  AND completed_at <= :up_to
FETCH FIRST :limit ROWS ONLY
