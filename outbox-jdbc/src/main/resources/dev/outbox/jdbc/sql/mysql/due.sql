-- name: dueHeads  shape: union all
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN {full_weight} <= :inline
    THEN o.headers END AS headers,
  CASE WHEN {full_weight} <= :inline
    THEN o.payload END AS payload,
  CASE WHEN {full_weight} <= :inline
    THEN o.history END AS history,
  {full_weight} AS weight,
  COALESCE(LENGTH(o.payload), 0) AS bytes,
  o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
  TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
FROM {parked} o FORCE INDEX ({index parked_heads})
WHERE o.lane = :lane
  AND o.due_at <= {now}
  AND {not_held}
  {first_of_key}
ORDER BY o.due_at, o.reason, o.id
LIMIT :limit)

-- name: followers  shape: union all
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type,
  CASE WHEN {full_weight} <= :inline
    THEN o.headers END AS headers,
  CASE WHEN {full_weight} <= :inline
    THEN o.payload END AS payload,
  CASE WHEN {full_weight} <= :inline
    THEN o.history END AS history,
  {full_weight} AS weight,
  COALESCE(LENGTH(o.payload), 0) AS bytes,
  o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired, o.attempts,
  TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
FROM {parked} o FORCE INDEX ({index parked_keys})
WHERE o.lane = :lane
  AND o.topic = :topic
  AND LENGTH(o.topic) = LENGTH(:topic)
  AND o.msg_key = :msg_key
  AND LENGTH(o.msg_key) = LENGTH(:msg_key)
  AND o.id > :id
  AND o.id < COALESCE((
    SELECT d.id
    FROM {dead} d FORCE INDEX ({index dead_holds})
    WHERE d.lane = :lane
      AND d.holds = 1
      AND d.topic = :topic
      AND LENGTH(d.topic) = LENGTH(:topic)
      AND d.msg_key = :msg_key
      AND LENGTH(d.msg_key) = LENGTH(:msg_key)
    ORDER BY d.id
    LIMIT 1), 9223372036854775807)
ORDER BY o.id
LIMIT :limit)

-- name: dueBodies  shape: together
SELECT o.lane, o.id, o.payload, o.headers, o.history
FROM {keys}
STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
  ON {same} AND o.cluster_id = {cluster}

-- name: releasable  shape: union all
(SELECT o.lane, o.id
FROM {parked} o FORCE INDEX ({index parked_heads})
WHERE o.lane = :lane
  AND o.due_at IS NULL
  AND o.reason = 'TOPIC'
  AND {not_held}
ORDER BY o.id
LIMIT :limit)

-- name: dueDelayed  shape: union all
(SELECT d.lane, d.id, d.due_at
FROM {delayed} d FORCE INDEX ({index delayed_heads})
WHERE d.lane = :lane
  AND d.due_at <= {now}
  AND d.topic IS NOT NULL
ORDER BY d.due_at, d.id
LIMIT :limit)

-- name: promote  shape: json ids
INSERT INTO {outbox}
  (lane, {columns})
SELECT d.lane, {d.columns}
FROM JSON_TABLE(CONVERT(:ids USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$')) a
STRAIGHT_JOIN {delayed} d FORCE INDEX (PRIMARY) ON d.id = a.id
ORDER BY d.due_at, d.id

-- name: deleteDelayed  shape: json ids
DELETE d
FROM JSON_TABLE(CONVERT(:ids USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$')) a
STRAIGHT_JOIN {delayed} d FORCE INDEX (PRIMARY) ON d.id = a.id

-- name: claimReleasable  shape: limited
SELECT o.lane, o.id
FROM {parked} o FORCE INDEX ({index parked_heads})
WHERE o.lane = 0
  AND o.due_at IS NULL
  AND o.reason = 'TOPIC'
  AND {not_held}
ORDER BY o.id
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- name: claimDelayed  shape: limited
SELECT lane, id, due_at
FROM {delayed} FORCE INDEX ({index delayed_heads})
WHERE lane = 0
  AND due_at <= {now}
  AND topic IS NOT NULL
ORDER BY due_at, id
LIMIT :limit
FOR UPDATE SKIP LOCKED
