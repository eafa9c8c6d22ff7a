-- name: suspect
-- the count comes first: on MySQL and MariaDB an assignment sees those before it. As in all that is
-- fenced, settles changes: with useAffectedRows their drivers count only rows that do
UPDATE {lane}
SET settles = settles + 1,
  suspect_count = CASE WHEN EXISTS (
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

-- name: restoreSuspect
UPDATE {lane}
SET settles = settles + 1,
  suspect_id = CASE WHEN :deaths > 0 THEN suspect_id END,
  suspect_count = :deaths
WHERE lane = :lane
  AND owner = :owner
  AND epoch = :epoch
  AND suspect_id = :id

-- name: holdLane
SELECT lane
FROM {lane}
WHERE lane = :lane
  AND owner = :owner
  AND epoch = :epoch
FOR UPDATE

-- name: lockLane
SELECT lane
FROM {lane}
WHERE lane = :lane
FOR UPDATE
