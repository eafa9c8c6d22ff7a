-- name: deleteReady  shape: each row
DELETE FROM {outbox}
WHERE lane = :lane
  AND id = :id
  AND message_id = :message_id

-- name: deleteParked  shape: each row
DELETE FROM {parked}
WHERE lane = :lane
  AND id = :id
  AND message_id = :message_id
  AND cluster_id = {cluster}

-- name: deleteAnyParked  shape: each row
DELETE FROM {parked}
WHERE lane = :lane
  AND id = :id
  AND message_id = :message_id

-- name: archiveReady  shape: each row
INSERT INTO {archive}
  (lane, id, {columns}, completed_at)
SELECT o.lane, o.id, {o.columns}, {now}
FROM {outbox} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id

-- name: archiveParked  shape: each row
INSERT INTO {archive}
  (lane, id, {columns}, completed_at)
SELECT o.lane, o.id, {o.columns}, {now}
FROM {parked} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id
  AND o.cluster_id = {cluster}

-- name: buryReady  shape: each row
INSERT INTO {dead}
  (cluster_id, lane, id, {columns},
  reason, attempts, last_error, history, died_at, holds)
SELECT {cluster}, o.lane, o.id, {o.columns},
  :reason, :attempts, :error, :history, {now}, :holds
FROM {outbox} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id

-- name: buryParked  shape: each row
INSERT INTO {dead}
  (cluster_id, lane, id, {columns},
  reason, attempts, last_error, history, died_at, holds)
SELECT {cluster}, o.lane, o.id, {o.columns},
  :reason, :attempts, :error, :history, {now}, :holds
FROM {parked} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id
  AND o.cluster_id = {cluster}

-- name: wakeHeads  shape: each row
UPDATE {parked}
SET due_at = {now}
WHERE lane = :lane
  AND id = :id
  AND cluster_id = {cluster}
  AND due_at IS NULL
