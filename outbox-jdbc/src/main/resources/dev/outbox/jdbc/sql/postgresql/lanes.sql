-- name: freeLanes  shape: limited
SELECT lane, epoch, floor, suspect_id, suspect_count,
  CASE WHEN owner IS NULL THEN takeovers ELSE takeovers + 1 END AS takeovers
FROM {lane}
WHERE lane BETWEEN :first AND :last
  AND (owner IS NULL
    OR lease_until <= {now}
    OR lease_until > {now} + 2 * lease_micros * INTERVAL '1 microsecond')
ORDER BY lane
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- name: leaseLane
UPDATE {lane}
SET takeovers = :takeovers,
  owner = :owner,
  epoch = epoch + 1,
  lease_until = {now} + CAST(:lease AS bigint) * INTERVAL '1 microsecond',
  lease_micros = CAST(:lease AS bigint)
WHERE lane = :lane

-- name: heldKeys  shape: arrays
SELECT p.lane, p.topic, p.msg_key
FROM {parked} p
WHERE p.lane = ANY(CAST(:lanes AS integer[]))
  AND p.msg_key IS NOT NULL
UNION
SELECT d.lane, d.topic, d.msg_key
FROM {dead} d
WHERE d.lane = ANY(CAST(:lanes AS integer[]))
  AND d.holds = 1

-- name: look  shape: arrays
-- a scalar sub-select with a limit stays a lookup, where EXISTS may become a scan that is hashed
SELECT c.lane,
  COALESCE((
    SELECT 1
    FROM {outbox} o
    WHERE o.lane = c.lane
      AND o.id > c.after
    LIMIT 1), 0) AS ready,
  COALESCE((
    SELECT 1
    FROM {parked} p
    WHERE p.lane = c.lane
      AND p.due_at <= {now}
      AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
      {first_of_key}
    LIMIT 1), 0) AS due,
  COALESCE((
    SELECT 1
    FROM {delayed} d
    WHERE d.lane = c.lane
      AND d.due_at <= {now}
    LIMIT 1), 0) AS later
FROM unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[])) AS c (lane, after)
UNION ALL
SELECT -1, CAST(COUNT(*) AS integer), 0, 0
FROM {lane}
WHERE owner IS NULL
  OR lease_until <= {now}
  OR lease_until > {now} + 2 * lease_micros * INTERVAL '1 microsecond'

-- names: ready, readyPast  shape: arrays
-- the length of a value that is stored apart is known without fetching it
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.headers END AS headers,
  CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS payload,
  CASE WHEN w.weight > CAST(:inline AS bigint) THEN w.weight END AS weight,
  CASE WHEN w.weight > CAST(:inline AS bigint) THEN octet_length(o.payload) END AS bytes,
  o.ref_table, o.ref_id, {origin}o.not_after,
  CASE WHEN o.not_after <= {now} THEN 1 END AS expired
FROM unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[]), CAST(:limits AS integer[]))
  AS c (lane, after, bound)
CROSS JOIN LATERAL (
  SELECT *
  FROM {outbox} r
  WHERE r.lane = c.lane
    AND r.id > c.after
    {past}
  ORDER BY r.id
  LIMIT c.bound) o
CROSS JOIN LATERAL (
  SELECT {weight}) w (weight)

-- fragment: readyPast.past
AND r.id <= c.after + CAST(:reach AS bigint)
AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || r.topic || chr(1)) = 0

-- name: readyBodies  shape: together
SELECT o.lane, o.id, o.payload, o.headers
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint, message_id uuid)
JOIN {outbox} o
  ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id

-- name: newest
SELECT MAX(n.id) AS newest
FROM generate_series(0, CAST(:most AS integer)) AS l (lane)
CROSS JOIN LATERAL (
  SELECT o.id
  FROM {outbox} o
  WHERE o.lane = l.lane
    AND o.id > :above
  ORDER BY o.id DESC
  LIMIT 1) n
