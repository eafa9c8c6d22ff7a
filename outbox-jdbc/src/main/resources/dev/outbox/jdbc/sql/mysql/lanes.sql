-- name: freeLanes  shape: limited
SELECT lane, epoch, floor, suspect_id, suspect_count,
  CASE WHEN owner IS NULL THEN takeovers ELSE takeovers + 1 END AS takeovers
FROM {lane}
WHERE lane BETWEEN :first AND :last
  AND (owner IS NULL
    OR lease_until <= {now}
    OR lease_until > {now} + INTERVAL 2 * lease_micros MICROSECOND)
ORDER BY lane
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- name: leaseLane
UPDATE {lane}
SET takeovers = :takeovers,
  owner = :owner,
  epoch = epoch + 1,
  lease_until = {now} + INTERVAL :lease MICROSECOND,
  lease_micros = :lease
WHERE lane = :lane

-- name: heldKeys  shape: union all
-- the collation pads: 'a' equals 'a ', so lengths are compared too
(SELECT DISTINCT p.lane, p.topic, p.msg_key, LENGTH(p.topic), LENGTH(p.msg_key)
FROM {parked} p
WHERE p.lane = :lane
  AND p.msg_key IS NOT NULL)
UNION ALL
(SELECT DISTINCT d.lane, d.topic, d.msg_key, LENGTH(d.topic), LENGTH(d.msg_key)
FROM {dead} d FORCE INDEX ({index dead_holds})
WHERE d.lane = :lane
  AND d.holds = 1)

-- name: look  shape: union all
-- Of a table that is nearly empty the statistics count no rows, however many dead ones there are, and then
-- a statement that needs no column but those of an index goes through the whole of it (on MariaDB: of its
-- whole lane), from the first dead row on. Hence "topic IS NOT NULL", which is always true: with a column
-- from beside the index there is nothing but the range. In {parked} it is content_type: its index has the
-- topic.
(SELECT :lane AS lane,
  EXISTS (
    SELECT 1
    FROM {outbox} o FORCE INDEX (PRIMARY)
    WHERE o.lane = :lane
      AND o.id > :after
      AND o.topic IS NOT NULL) AS ready,
  EXISTS (
    SELECT 1
    FROM {parked} o FORCE INDEX ({index parked_heads})
    WHERE o.lane = :lane
      AND o.due_at <= {now}
      AND {not_held}
      {first_of_key}) AS due,
  EXISTS (
    SELECT 1
    FROM {delayed} d FORCE INDEX ({index delayed_heads})
    WHERE d.lane = :lane
      AND d.due_at <= {now}
      AND d.topic IS NOT NULL) AS later)

-- name: look.last
(SELECT -1 AS lane, COUNT(*) AS ready, 0 AS due, 0 AS later
FROM {lane}
WHERE owner IS NULL
  OR lease_until <= {now}
  OR lease_until > {now} + INTERVAL 2 * lease_micros MICROSECOND)

-- names: ready, readyPast  shape: union all
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN {weight} <= :inline
    THEN o.headers END AS headers,
  CASE WHEN {weight} <= :inline
    THEN o.payload END AS payload,
  CASE WHEN {weight} > :inline
    THEN {weight} END AS weight,
  CASE WHEN {weight} > :inline
    THEN LENGTH(o.payload) END AS bytes,
  o.ref_table, o.ref_id, {origin}o.not_after,
  CASE WHEN o.not_after <= {now} THEN 1 END AS expired
FROM {outbox} o FORCE INDEX (PRIMARY)
WHERE o.lane = :lane
  AND o.id > :after
  {past}
ORDER BY o.id
LIMIT :limit)

-- name: readyBodies  shape: together
SELECT o.lane, o.id, o.payload, o.headers
FROM {keys}
STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
  ON {same}

-- name: newest
SELECT MAX(o.id) AS newest
FROM {outbox} o
WHERE o.id > :above
