-- name: freeLanes  shape: limited
-- with ORDER BY the limit counts locked rows too, and nothing fills up behind them: the index gives
-- the order
SELECT lane, epoch, floor, suspect_id, suspect_count,
  CASE WHEN owner IS NULL THEN takeovers ELSE takeovers + 1 END AS takeovers
FROM {lane}
WHERE lane BETWEEN :first AND :last
  AND (owner IS NULL
    OR lease_until <= {now}
    OR lease_until > DATEADD(MICROSECOND, 2 * lease_micros, {now}))
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED

-- name: ownLanes  shape: limited
SELECT lane, epoch, floor, suspect_id, suspect_count, takeovers
FROM {lane}
WHERE owner = :owner
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED

-- name: leaseLane
UPDATE {lane}
SET takeovers = :takeovers,
  owner = :owner,
  epoch = epoch + 1,
  lease_until = DATEADD(MICROSECOND, CAST(:lease AS bigint), {now}),
  lease_micros = CAST(:lease AS bigint)
WHERE lane = :lane

-- name: heldKeys  shape: union all
(SELECT DISTINCT p.lane, p.topic, p.msg_key
FROM {parked} p
WHERE p.lane = :lane
  AND p.msg_key IS NOT NULL)
UNION ALL
(SELECT DISTINCT d.lane, d.topic, d.msg_key
FROM {dead} d
WHERE d.lane = :lane
  AND d.holds = 1)

-- name: look  shape: union all
(SELECT CAST(:lane AS integer) AS lane,
  CASE WHEN EXISTS (
    SELECT 1
    FROM {outbox} o
    WHERE o.lane = :lane
      AND o.id > :after) THEN 1 ELSE 0 END AS ready,
  CASE WHEN EXISTS (
    SELECT 1
    FROM {parked} o
    WHERE o.lane = :lane
      AND o.due_at <= {now}
      AND {not_held}
      {first_of_key}) THEN 1 ELSE 0 END AS due,
  CASE WHEN EXISTS (
    SELECT 1
    FROM {delayed} d
    WHERE d.lane = :lane
      AND d.due_at <= {now}) THEN 1 ELSE 0 END AS later)

-- name: look.last
(SELECT -1 AS lane, COUNT(*) AS ready, 0 AS due, 0 AS later
FROM {lane}
WHERE owner IS NULL
  OR lease_until <= {now}
  OR lease_until > DATEADD(MICROSECOND, 2 * lease_micros, {now}))

-- names: ready, readyPast  shape: union all
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN {weight} <= :inline
    THEN o.headers END AS headers,
  CASE WHEN {weight} <= :inline
    THEN o.payload END AS payload,
  CASE WHEN {weight} > :inline
    THEN {weight} END AS weight,
  CASE WHEN {weight} > :inline
    THEN OCTET_LENGTH(o.payload) END AS bytes,
  o.ref_table, o.ref_id, {origin}o.not_after,
  CASE WHEN o.not_after <= {now} THEN 1 END AS expired
FROM {outbox} o
WHERE o.lane = :lane
  AND o.id > :after
  {past}
ORDER BY o.id
FETCH FIRST :limit ROWS ONLY)

-- fragment: readyPast.past
AND o.id <= CAST(:after AS bigint) + CAST(:reach AS bigint)
AND {not_held}

-- name: readyBodies  shape: union all
(SELECT o.lane, o.id, o.payload, o.headers
FROM {outbox} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id)

-- name: newest
-- it would count through all that is ready
SELECT CAST(:above AS bigint) AS newest
