-- name: freeLanes  shape: cursor
-- rows are locked as they are fetched: ROWNUM would count locked ones too, FETCH FIRST is ORA-02014.
-- The hinted index gives the order; an ORDER BY that becomes a sort would read all rows before the
-- first
SELECT /*+ INDEX(l (lane)) */ lane, epoch, floor, suspect_id, suspect_count,
  CASE WHEN owner IS NULL THEN takeovers ELSE takeovers + 1 END AS takeovers
FROM {lane} l
WHERE lane BETWEEN :first AND :last
  AND (owner IS NULL
    OR lease_until <= {now}
    OR lease_until > {now} + NUMTODSINTERVAL(lease_micros * 0.000002, 'SECOND'))
FOR UPDATE SKIP LOCKED

-- name: ownLanes  shape: cursor
SELECT /*+ INDEX(l (lane)) */ lane, epoch, floor, suspect_id, suspect_count, takeovers
FROM {lane} l
WHERE owner = :owner
FOR UPDATE SKIP LOCKED

-- name: leaseLane
-- the epoch, because the cursor may have seen the lane before another relay took it
UPDATE {lane}
SET takeovers = :takeovers,
  owner = :owner,
  epoch = epoch + 1,
  lease_until = {now} + NUMTODSINTERVAL(:lease * 0.000001, 'SECOND'),
  lease_micros = :lease
WHERE lane = :lane
  AND epoch = :epoch

-- name: heldKeys  shape: union all
SELECT DISTINCT p.lane, p.topic, p.msg_key
FROM {parked} p
WHERE p.lane = :lane
  AND p.msg_key IS NOT NULL
UNION ALL
SELECT DISTINCT d.lane, d.topic, d.msg_key
FROM {dead} d
WHERE d.lane = :lane
  AND d.holds = 1

-- name: look  shape: union all
SELECT CAST(:lane AS NUMBER(10)) AS lane,
  CASE WHEN EXISTS (
    SELECT /*+ INDEX(o (lane id)) */ 1
    FROM {outbox} o
    WHERE o.lane = :lane
      AND o.id > :after) THEN 1 ELSE 0 END AS ready,
  CASE WHEN EXISTS (
    SELECT /*+ INDEX(o (lane due_at reason id topic)) */ 1
    FROM {parked} o
    WHERE o.lane = :lane
      AND o.due_at <= {now}
      AND {not_held}
      {first_of_key}) THEN 1 ELSE 0 END AS due,
  CASE WHEN EXISTS (
    SELECT /*+ INDEX(d (lane due_at id)) */ 1
    FROM {delayed} d
    WHERE d.lane = :lane
      AND d.due_at <= {now}) THEN 1 ELSE 0 END AS later
FROM DUAL

-- name: look.last
SELECT -1 AS lane, COUNT(*) AS ready, 0 AS due, 0 AS later
FROM {lane}
WHERE owner IS NULL
  OR lease_until <= {now}
  OR lease_until > {now} + NUMTODSINTERVAL(lease_micros * 0.000002, 'SECOND')

-- names: ready, readyPast  shape: union all
-- the statistics of a queue table are seldom those of the moment: the hints keep to the index that
-- gives the order
SELECT *
FROM (
  SELECT /*+ INDEX(o (lane id)) */
    o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
    CASE WHEN {weight} <= :inline
      THEN o.headers END AS headers,
    CASE WHEN {weight} <= :inline
      THEN o.payload END AS payload,
    CASE WHEN {weight} > :inline
      THEN {weight} END AS weight,
    CASE WHEN {weight} > :inline
      THEN DBMS_LOB.GETLENGTH(o.payload) END AS bytes,
    o.ref_table, o.ref_id, {origin}o.not_after,
    CASE WHEN o.not_after <= {now} THEN 1 END AS expired
  FROM {outbox} o
  WHERE o.lane = :lane
    AND o.id > :after
    {past}
  ORDER BY o.id
  FETCH FIRST :limit ROWS ONLY)

-- name: readyBodies  shape: union all
SELECT o.lane, o.id, o.payload, o.headers
FROM {outbox} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id

-- name: newest
SELECT MAX(n.id) AS newest
FROM (
  SELECT (
    SELECT MAX(o.id)
    FROM {outbox} o
    WHERE o.lane = l.lane
      AND o.id > :above) AS id
  FROM {lane} l) n
