-- name: receiptSlots  shape: locked, of 1024
-- two that wait for an INSERT of one key deadlock when it is rolled back, whatever its form
SELECT s.slot
FROM JSON_TABLE(CONVERT(:slots USING utf8mb4), '$[*]' COLUMNS (slot INT PATH '$')) a
STRAIGHT_JOIN {receipt_slot} s FORCE INDEX (PRIMARY) ON s.slot = a.slot
FOR UPDATE OF s

-- name: insertReceipts  shape: looking
-- an INSERT that meets a row shares a lock on it until the end; once that is deleted, on the gap
INSERT IGNORE INTO {receipt} (consumer, message_id, received_at, expires_at)
VALUES

-- name: insertReceipts.tuple
(CONVERT(:consumer USING utf8mb4), :message_id, {now}, {now} + INTERVAL :keep MICROSECOND)

-- name: insertReceipts.look
SELECT a.n
FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (n INT PATH '$.n', consumer VARCHAR(2040) PATH '$.consumer', message_id VARCHAR(32) PATH '$.message_id')) a
STRAIGHT_JOIN {receipt} r FORCE INDEX (PRIMARY)
  ON {same_receipt}

-- name: purgeReceipts  shape: find, lock, delete
-- a locking read by time would wait for the row behind the last one, which may not be committed

-- name: purgeReceipts.find
SELECT HEX(consumer) AS consumer, HEX(message_id) AS message_id
FROM {receipt} FORCE INDEX ({index receipt_expires})
WHERE expires_at <= {now}
ORDER BY expires_at
LIMIT :limit

-- name: purgeReceipts.lock
SELECT a.consumer, a.message_id
FROM {receipt_rows}
STRAIGHT_JOIN {receipt} r FORCE INDEX (PRIMARY)
  ON {same_receipt}
WHERE r.expires_at <= {now}
FOR UPDATE OF r SKIP LOCKED

-- name: purgeReceipts.delete
DELETE r
FROM {receipt_rows}
STRAIGHT_JOIN {receipt} r FORCE INDEX (PRIMARY)
  ON {same_receipt}

-- name: dedupeSlots  shape: locked, of 1024
SELECT s.slot
FROM JSON_TABLE(CONVERT(:slots USING utf8mb4), '$[*]' COLUMNS (slot INT PATH '$')) a
STRAIGHT_JOIN {dedupe_slot} s FORCE INDEX (PRIMARY) ON s.slot = a.slot
FOR UPDATE OF s

-- name: insertKeys  shape: looking
INSERT IGNORE INTO {dedupe} (topic, dedupe_key, message_id, created_at, expires_at)
VALUES

-- name: insertKeys.tuple
(CONVERT(:topic USING utf8mb4), CONVERT(:dedupe_key USING utf8mb4), :message_id, {now},
{now} + INTERVAL :keep MICROSECOND)

-- name: insertKeys.look
SELECT a.n
FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (n INT PATH '$.n', topic VARCHAR(2040) PATH '$.topic', dedupe_key VARCHAR(2040) PATH '$.dedupe_key')) a
STRAIGHT_JOIN {dedupe} d FORCE INDEX (PRIMARY)
  ON {same_key}

-- name: takenKey
-- a locking read sees what is committed, also at REPEATABLE READ
SELECT message_id, CASE WHEN expires_at <= {now} THEN 1 ELSE 0 END AS expired
FROM {dedupe}
WHERE topic = CONVERT(:topic USING utf8mb4)
  AND dedupe_key = CONVERT(:dedupe_key USING utf8mb4)
FOR UPDATE

-- name: retakeKey
UPDATE {dedupe}
SET message_id = :message_id,
  created_at = {now},
  expires_at = {now} + INTERVAL :keep MICROSECOND
WHERE topic = CONVERT(:topic USING utf8mb4)
  AND dedupe_key = CONVERT(:dedupe_key USING utf8mb4)
  AND expires_at <= {now}

-- name: purgeKeys  shape: find, lock, delete

-- name: purgeKeys.find
SELECT HEX(topic) AS topic, HEX(dedupe_key) AS dedupe_key
FROM {dedupe} FORCE INDEX ({index dedupe_expires})
WHERE expires_at <= {now}
ORDER BY expires_at
LIMIT :limit

-- name: purgeKeys.lock
SELECT a.topic, a.dedupe_key
FROM {key_rows}
STRAIGHT_JOIN {dedupe} d FORCE INDEX (PRIMARY)
  ON {same_key}
WHERE d.expires_at <= {now}
FOR UPDATE OF d SKIP LOCKED

-- name: purgeKeys.delete
DELETE d
FROM {key_rows}
STRAIGHT_JOIN {dedupe} d FORCE INDEX (PRIMARY)
  ON {same_key}

-- fragment: receipt_rows
JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (consumer VARCHAR(2040) PATH '$.consumer',
  message_id VARCHAR(32) PATH '$.message_id')) a

-- fragment: same_receipt
r.consumer = UNHEX(a.consumer) AND r.message_id = UNHEX(a.message_id)

-- fragment: key_rows
JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (topic VARCHAR(2040) PATH '$.topic',
  dedupe_key VARCHAR(2040) PATH '$.dedupe_key')) a

-- fragment: same_key
d.topic = UNHEX(a.topic) AND d.dedupe_key = UNHEX(a.dedupe_key)
