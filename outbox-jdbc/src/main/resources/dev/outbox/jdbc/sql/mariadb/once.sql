-- name: receiptSlots  shape: locked, of 1024
-- two that wait for an INSERT of one key deadlock when it is rolled back, whatever its form
SELECT s.slot
FROM JSON_TABLE(CONVERT(:slots USING utf8mb4), '$[*]' COLUMNS (slot INT PATH '$')) a
STRAIGHT_JOIN {receipt_slot} s FORCE INDEX (PRIMARY) ON s.slot = a.slot
FOR UPDATE

-- name: purgeReceipts.lock
SELECT a.consumer, a.message_id
FROM {receipt_rows}
STRAIGHT_JOIN {receipt} r FORCE INDEX (PRIMARY)
  ON {same_receipt}
WHERE r.expires_at <= {now}
FOR UPDATE SKIP LOCKED

-- name: dedupeSlots  shape: locked, of 1024
SELECT s.slot
FROM JSON_TABLE(CONVERT(:slots USING utf8mb4), '$[*]' COLUMNS (slot INT PATH '$')) a
STRAIGHT_JOIN {dedupe_slot} s FORCE INDEX (PRIMARY) ON s.slot = a.slot
FOR UPDATE

-- name: purgeKeys.lock
SELECT a.topic, a.dedupe_key
FROM {key_rows}
STRAIGHT_JOIN {dedupe} d FORCE INDEX (PRIMARY)
  ON {same_key}
WHERE d.expires_at <= {now}
FOR UPDATE SKIP LOCKED
