-- name: receiptSlots  shape: none

-- name: insertReceipts  shape: tuples
INSERT INTO {receipt} (consumer, message_id, received_at, expires_at)
VALUES

-- name: dedupeSlots  shape: none

-- name: insertKeys  shape: tuples
INSERT INTO {dedupe} (topic, dedupe_key, message_id, created_at, expires_at)
VALUES

-- name: takenKey
SELECT message_id, CASE WHEN expires_at <= {now} THEN 1 ELSE 0 END AS expired
FROM {dedupe}
WHERE topic = :topic
  AND dedupe_key = :dedupe_key
