-- name: appendDelayed.tuple
(:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :not_after,
  COALESCE(CAST(:due AS DATETIME(6)), {now} + INTERVAL :delay MICROSECOND))

-- name: claimReady.lock  shape: limited
SELECT o.lane, o.id, {o.columns},
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired
FROM {outbox} o FORCE INDEX (PRIMARY)
WHERE o.lane = 0
  AND (CHAR_LENGTH(:held) = 2
    OR {not_held})
ORDER BY o.lane, o.id
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- name: claimDue.lock  shape: limited
SELECT o.lane, o.id, {o.columns},
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
  o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
  TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, {now}) AS failing
FROM {parked} o FORCE INDEX ({index parked_heads})
WHERE o.lane = 0
  AND o.due_at <= {now}
  AND {not_held}
ORDER BY o.due_at
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- name: putParked
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, first_failed_at, due_at, last_error, history)
VALUES
  (:lane, :id, {cluster}, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :origin, :not_after, :created_at,
  :reason, :attempts,
  COALESCE(CAST(:first_failed_at AS DATETIME(6)), CASE WHEN :attempts > 0 THEN {now} END),
  COALESCE(CAST(:due AS DATETIME(6)), {now} + INTERVAL :rest MICROSECOND),
  :error, :history)
