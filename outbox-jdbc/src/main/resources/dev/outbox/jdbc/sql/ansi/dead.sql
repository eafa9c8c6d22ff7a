-- name: replay  shape: each row
INSERT INTO {outbox}
  (lane, {columns})
SELECT d.lane, {d.columns}
FROM {dead} d
WHERE d.dead_id = :id
  AND d.message_id = :message_id
  AND d.cluster_id = {cluster}

-- name: replayHolders  shape: each row
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, due_at, last_error, history)
SELECT d.lane, d.id, {cluster}, {d.columns},
  'FAILED', 0, {now}, d.last_error, d.history
FROM {dead} d
WHERE d.dead_id = :id
  AND d.message_id = :message_id
  AND d.cluster_id = {cluster}
  AND d.holds = 1

-- name: deleteDead  shape: each row
DELETE FROM {dead} d
WHERE d.dead_id = :id
  AND d.message_id = :message_id
  AND d.cluster_id = {cluster}
