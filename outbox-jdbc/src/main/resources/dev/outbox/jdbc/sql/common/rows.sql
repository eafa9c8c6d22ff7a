-- name: append  shape: tuples
INSERT INTO {outbox}
  (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, not_after)
VALUES

-- name: append.tuple
(:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table, :ref_id, :not_after)

-- name: appendDelayed  shape: tuples
INSERT INTO {delayed}
  (lane, message_id, topic, msg_key, headers, content_type, payload,
  ref_table, ref_id, not_after, due_at)
VALUES

-- name: claimReady  shape: lock, then settle/deleteReady

-- name: claimDue  shape: lock, then settle/deleteParked

-- name: putReady
INSERT INTO {outbox}
  (lane, id, {columns})
VALUES
  (:lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :origin, :not_after, :created_at)

-- name: putDead
INSERT INTO {dead}
  (cluster_id, lane, id, {columns},
  reason, attempts, last_error, history, died_at, holds)
VALUES
  ({cluster}, :lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :origin, :not_after, :created_at,
  :reason, :attempts, :error, :history, {now}, :holds)

-- name: putArchive
INSERT INTO {archive}
  (lane, id, {columns}, completed_at)
VALUES
  (:lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload,
  :ref_table, :ref_id, :origin, :not_after, :created_at, {now})
