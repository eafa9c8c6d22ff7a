-- name: anyNote
SELECT lane
FROM {takeover}
{limit}

-- names: parked.ghosts, ready.ghosts, delayed.ghosts
-- counted, and of the few rows within: for EXISTS PostgreSQL may read all notes for each piece
SELECT g.lane, g.id, g.message_id, (
  SELECT COUNT(*)
  FROM {takeover} t
  WHERE t.lane = g.lane
    AND t.id = g.id
    AND t.later = {later}
    AND t.message_id = g.message_id) AS hit
FROM (
  SELECT o.lane, o.id, o.message_id
  FROM {source} o
  WHERE o.lane BETWEEN :low AND :high
    AND o.id > :after
  ORDER BY o.lane, o.id
  {limit}) g
ORDER BY g.lane, g.id

-- name: delayedGhosts
SELECT g.lane, g.id, g.due_at, (
  SELECT COUNT(*)
  FROM {takeover} t
  WHERE t.lane = g.lane
    AND t.id = g.id
    AND t.later = 1
    AND t.message_id = g.message_id) AS hit
FROM (
  SELECT o.lane, o.id, o.due_at, o.message_id
  FROM {delayed} o
  WHERE o.lane = :lane
    AND o.due_at >= :at
    AND (o.due_at > :at OR o.id > :after)
    AND o.due_at <= {now}
  ORDER BY o.due_at, o.id
  {limit}) g
ORDER BY g.due_at, g.id

-- name: followers
SELECT o.lane, o.id, o.message_id, CASE WHEN o.due_at IS NULL AND o.reason = 'FOLLOWER'
  {first} THEN 1 ELSE 0 END AS hit
FROM (
  SELECT p.lane, p.id, p.message_id, p.topic, p.msg_key, p.due_at, p.reason
  FROM {parked} p
  WHERE p.lane BETWEEN :low AND :high
    AND p.id > :after
  ORDER BY p.lane, p.id
  {limit}) o
ORDER BY o.lane, o.id

-- fragment: followers.first
AND NOT EXISTS (
    SELECT 1
    FROM {parked} d
    WHERE d.lane = o.lane
      AND {same_topic_and_key}
      AND d.id < o.id)
  AND NOT EXISTS (
    SELECT 1
    FROM {dead} d
    WHERE d.lane = o.lane
      AND d.holds = 1
      AND {same_topic_and_key}
      AND d.id < o.id)

-- name: wake
UPDATE {parked}
SET due_at = {now}
WHERE lane = :lane
  AND id = :id
  AND due_at IS NULL

-- name: oldNotes
SELECT batch
FROM {takeover}
WHERE cluster_id = {cluster}
  AND batch < :batch
ORDER BY batch
{limit}

-- name: dropNotes
DELETE FROM {takeover}
WHERE cluster_id = {cluster}
  AND batch <= :batch
  AND taken_at < :before
