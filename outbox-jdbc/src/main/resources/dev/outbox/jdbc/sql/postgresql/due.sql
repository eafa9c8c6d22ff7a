-- name: dueHeads  shape: arrays
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.headers END AS headers,
  CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS payload,
  CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.history END AS history,
  w.weight, COALESCE(octet_length(o.payload), 0) AS bytes,
  o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
  CAST(EXTRACT(EPOCH FROM {now} - o.first_failed_at) * 1000000 AS bigint) AS failing
FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
CROSS JOIN LATERAL (
  SELECT *
  FROM {parked} p
  WHERE p.lane = c.lane
    AND p.due_at <= {now}
    AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
    {first_of_key}
  ORDER BY p.due_at, p.reason, p.id
  LIMIT c.bound) o
CROSS JOIN LATERAL (
  SELECT {weight}
    + COALESCE(octet_length(o.history), 0)) w (weight)

-- name: followers  shape: together
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.headers END AS headers,
  CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS payload,
  CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.history END AS history,
  w.weight, COALESCE(octet_length(o.payload), 0) AS bytes,
  o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
  CAST(EXTRACT(EPOCH FROM {now} - o.first_failed_at) * 1000000 AS bigint) AS failing
FROM jsonb_to_recordset(CAST(:keys AS jsonb))
  AS k (lane integer, topic text, msg_key text, id bigint, "limit" integer)
CROSS JOIN LATERAL (
  SELECT *
  FROM {parked} p
  WHERE p.lane = k.lane
    AND p.topic = k.topic
    AND p.msg_key = k.msg_key
    AND p.id > k.id
    AND p.id < COALESCE((
      SELECT d.id
      FROM {dead} d
      WHERE d.lane = k.lane
        AND d.holds = 1
        AND d.topic = k.topic
        AND d.msg_key = k.msg_key
      ORDER BY d.id
      LIMIT 1), 9223372036854775807)
  ORDER BY p.id
  LIMIT k."limit") o
CROSS JOIN LATERAL (
  SELECT {weight}
    + COALESCE(octet_length(o.history), 0)) w (weight)
ORDER BY o.lane, o.topic, o.msg_key, o.id

-- name: dueBodies  shape: together
SELECT o.lane, o.id, o.payload, o.headers, o.history
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint, message_id uuid)
JOIN {parked} o
  ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id AND o.cluster_id = {cluster}

-- name: releasable  shape: arrays
SELECT o.lane, o.id
FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
CROSS JOIN LATERAL (
  SELECT p.lane, p.id
  FROM {parked} p
  WHERE p.lane = c.lane
    AND p.due_at IS NULL
    AND p.reason = 'TOPIC'
    AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
  ORDER BY p.id
  LIMIT c.bound) o

-- name: dueDelayed  shape: arrays
SELECT c.lane, o.id, o.due_at
FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
CROSS JOIN LATERAL (
  SELECT d.id, d.due_at
  FROM {delayed} d
  WHERE d.lane = c.lane
    AND d.due_at <= {now}
  ORDER BY d.due_at, d.id
  LIMIT c.bound) o

-- name: promote  shape: json rows
INSERT INTO {outbox}
  (lane, {columns})
SELECT d.lane, {d.columns}
FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint)
JOIN {delayed} d
  ON d.id = a.id
ORDER BY d.due_at, d.id

-- name: deleteDelayed  shape: json rows
DELETE FROM {delayed} d
USING jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint)
WHERE d.id = a.id

-- name: claimReleasable  shape: limited
SELECT p.lane, p.id
FROM {parked} p
WHERE p.lane = 0
  AND p.due_at IS NULL
  AND p.reason = 'TOPIC'
  AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
ORDER BY p.id
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- name: claimDelayed  shape: limited
SELECT lane, id, due_at
FROM {delayed}
WHERE lane = 0
  AND due_at <= {now}
ORDER BY lane, due_at, id
LIMIT :limit
FOR UPDATE SKIP LOCKED
