-- name: append  shape: batch
-- no INSERT of several tuples before 23ai; the payload stands before the longer texts, because a
-- value of more than 4000 bytes may not follow a CLOB (ORA-24816)
INSERT INTO {outbox}
  (lane, message_id, topic, msg_key, content_type, ref_table, ref_id, not_after, payload, headers)
VALUES
  (:lane, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :not_after, :payload, :headers)

-- name: appendDelayed  shape: batch
INSERT INTO {delayed}
  (lane, message_id, topic, msg_key, content_type, ref_table, ref_id, not_after, due_at,
  payload, headers)
VALUES
  (:lane, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :not_after,
  COALESCE(CAST(:due AS TIMESTAMP(6)), {now} + NUMTODSINTERVAL(:delay * 0.000001, 'SECOND')),
  :payload, :headers)

-- name: claimReady.lock  shape: cursor
SELECT /*+ INDEX(o (lane id)) */
  o.lane, o.id, {o.columns},
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired
FROM {outbox} o
WHERE o.lane = 0
  AND {not_held}
FOR UPDATE SKIP LOCKED

-- name: claimDue.lock  shape: cursor
SELECT /*+ INDEX(o (lane due_at reason id topic)) */
  o.lane, o.id, {o.columns},
  CASE WHEN o.not_after <= {now} THEN 1 ELSE 0 END AS expired,
  o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
  {failing} AS failing
FROM {parked} o
WHERE o.lane = 0
  AND o.due_at <= {now}
  AND {not_held}
FOR UPDATE SKIP LOCKED

-- name: putReady
INSERT INTO {outbox}
  (lane, id, message_id, topic, msg_key, content_type,
  ref_table, ref_id, origin, not_after, created_at, payload, headers)
VALUES
  (:lane, :id, :message_id, :topic, :msg_key, :content_type,
  :ref_table, :ref_id, :origin, :not_after, :created_at, :payload, :headers)

-- name: putParked
INSERT INTO {parked}
  (lane, id, cluster_id, message_id, topic, msg_key, content_type,
  ref_table, ref_id, origin, not_after, created_at,
  reason, attempts, first_failed_at, due_at, payload, headers, last_error, history)
VALUES
  (:lane, :id, {cluster}, :message_id, :topic, :msg_key, :content_type,
  :ref_table, :ref_id, :origin, :not_after, :created_at,
  :reason, :attempts,
  COALESCE(CAST(:first_failed_at AS TIMESTAMP(6)), CASE WHEN :attempts > 0 THEN {now} END),
  COALESCE(CAST(:due AS TIMESTAMP(6)), {now} + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND')),
  :payload, :headers, :error, :history)

-- name: putDead
INSERT INTO {dead}
  (cluster_id, lane, id, message_id, topic, msg_key, content_type,
  ref_table, ref_id, origin, not_after, created_at,
  reason, attempts, died_at, holds, payload, headers, last_error, history)
VALUES
  ({cluster}, :lane, :id, :message_id, :topic, :msg_key, :content_type,
  :ref_table, :ref_id, :origin, :not_after, :created_at,
  :reason, :attempts, {now}, :holds, :payload, :headers, :error, :history)

-- name: putArchive
INSERT INTO {archive}
  (lane, id, message_id, topic, msg_key, content_type,
  ref_table, ref_id, origin, not_after, created_at, completed_at, payload, headers)
VALUES
  (:lane, :id, :message_id, :topic, :msg_key, :content_type,
  :ref_table, :ref_id, :origin, :not_after, :created_at, {now}, :payload, :headers)
