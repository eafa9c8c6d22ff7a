-- name: appendDelayed.tuple
(:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :not_after,
  COALESCE(CAST(:due AS timestamp(6) with time zone), DATEADD(MICROSECOND, CAST(:delay AS bigint), {now})))

-- name: claimReady.lock  shape: limited
SELECT o.lane, o.id, {o.columns},
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired
FROM {outbox} o
WHERE o.lane = 0
  AND {not_held}
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED

-- name: claimDue.lock  shape: limited
SELECT o.lane, o.id, {o.columns},
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
  o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
  {failing} AS failing
FROM {parked} o
WHERE o.lane = 0
  AND o.due_at <= {now}
  AND {not_held}
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED

-- name: putParked
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, first_failed_at, due_at, last_error, history)
VALUES
  (:lane, :id, {cluster}, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :origin, :not_after, :created_at,
  :reason, :attempts,
  COALESCE(CAST(:first_failed_at AS timestamp(6) with time zone), CASE WHEN :attempts > 0 THEN {now} END),
  COALESCE(CAST(:due AS timestamp(6) with time zone), DATEADD(MICROSECOND, CAST(:rest AS bigint), {now})),
  :error, :history)
