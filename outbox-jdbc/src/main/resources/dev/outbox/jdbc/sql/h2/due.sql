-- name: dueHeads  shape: union all
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN {full_weight} <= :inline
    THEN o.headers END AS headers,
  CASE WHEN {full_weight} <= :inline
    THEN o.payload END AS payload,
  CASE WHEN {full_weight} <= :inline
    THEN o.history END AS history,
  {full_weight} AS weight,
  COALESCE(OCTET_LENGTH(o.payload), 0) AS bytes,
  o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
  {failing} AS failing
FROM {parked} o
WHERE o.lane = :lane
  AND o.due_at <= {now}
  AND {not_held}
  {first_of_key}
ORDER BY o.due_at, o.reason, o.id
FETCH FIRST :limit ROWS ONLY)

-- name: followers  shape: union all
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN {full_weight} <= :inline
    THEN o.headers END AS headers,
  CASE WHEN {full_weight} <= :inline
    THEN o.payload END AS payload,
  CASE WHEN {full_weight} <= :inline
    THEN o.history END AS history,
  {full_weight} AS weight,
  COALESCE(OCTET_LENGTH(o.payload), 0) AS bytes,
  o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
  {failing} AS failing
FROM {parked} o
WHERE o.lane = :lane
  AND o.topic = :topic
  AND o.msg_key = :msg_key
  AND o.id > :id
  AND o.id < COALESCE((
    SELECT d.id
    FROM {dead} d
    WHERE d.lane = :lane
      AND d.holds = 1
      AND d.topic = :topic
      AND d.msg_key = :msg_key
    ORDER BY d.id
    FETCH FIRST ROW ONLY), 9223372036854775807)
ORDER BY o.id
FETCH FIRST :limit ROWS ONLY)

-- name: dueBodies  shape: union all
(SELECT o.lane, o.id, o.payload, o.headers, o.history
FROM {parked} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id
  AND o.cluster_id = {cluster})

-- name: releasable  shape: union all
(SELECT o.lane, o.id
FROM {parked} o
WHERE o.lane = :lane
  AND o.due_at IS NULL
  AND o.reason = 'TOPIC'
  AND {not_held}
ORDER BY o.id
FETCH FIRST :limit ROWS ONLY)

-- name: dueDelayed  shape: union all
(SELECT d.lane, d.id, d.due_at
FROM {delayed} d
WHERE d.lane = :lane
  AND d.due_at <= {now}
ORDER BY d.due_at, d.id
FETCH FIRST :limit ROWS ONLY)

-- name: claimReleasable  shape: limited
SELECT o.lane, o.id
FROM {parked} o
WHERE o.lane = 0
  AND o.due_at IS NULL
  AND o.reason = 'TOPIC'
  AND {not_held}
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED

-- name: claimDelayed  shape: limited
SELECT lane, id, due_at
FROM {delayed}
WHERE lane = 0
  AND due_at <= {now}
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED
