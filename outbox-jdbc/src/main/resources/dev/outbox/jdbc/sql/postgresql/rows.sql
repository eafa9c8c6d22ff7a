-- name: appendDelayed.tuple
(:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :not_after,
  COALESCE(CAST(:due AS timestamptz), {now} + CAST(:delay AS bigint) * INTERVAL '1 microsecond'))

-- name: claimReady  shape: returning
-- ctid = ANY(ARRAY(...)) cannot run the sub-select again, and stays a lookup however many rows are
-- asked for; behind CASE the planner takes the lane for half of the rows, and goes along the index:
-- without statistics, as after a burst, it would take lane = 0 for a few rows, and sort them all
DELETE FROM {outbox}
WHERE ctid = ANY(ARRAY(
  SELECT o.ctid
  FROM {outbox} o
  WHERE CASE WHEN o.lane = 0
    THEN length(CAST(:held AS text)) = 2
      OR strpos(CAST(:held AS text) COLLATE "C", chr(1) || o.topic || chr(1)) = 0
    END
  ORDER BY o.lane, o.id
  LIMIT :limit
  FOR UPDATE SKIP LOCKED))
RETURNING lane, id, {columns},
  CASE WHEN not_after <= {now} THEN 1 ELSE 0 END AS expired

-- name: claimDue  shape: returning
DELETE FROM {parked}
WHERE ctid = ANY(ARRAY(
  SELECT p.ctid
  FROM {parked} p
  WHERE p.lane = 0
    AND p.due_at <= {now}
    AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0
  ORDER BY p.lane, p.due_at
  LIMIT :limit
  FOR UPDATE SKIP LOCKED))
RETURNING lane, id, {columns},
  CASE WHEN not_after <= {now} THEN 1 ELSE 0 END AS expired,
  attempts, first_failed_at, due_at, reason, last_error, history,
  CAST(EXTRACT(EPOCH FROM {now} - first_failed_at) * 1000000 AS bigint) AS failing

-- name: putParked
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, first_failed_at, due_at, last_error, history)
VALUES
  (:lane, :id, {cluster}, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :origin, :not_after, :created_at,
  :reason, :attempts,
  COALESCE(CAST(:first_failed_at AS timestamptz), CASE WHEN :attempts > 0 THEN {now} END),
  COALESCE(CAST(:due AS timestamptz), {now} + CAST(:rest AS bigint) * INTERVAL '1 microsecond'),
  :error, :history)
