-- name: purgeReceipts  shape: lock, delete

-- name: purgeReceipts.delete
DELETE FROM {receipt}
WHERE consumer = :consumer
  AND message_id = :message_id

-- name: purgeKeys  shape: lock, delete

-- name: purgeKeys.delete
DELETE FROM {dedupe}
WHERE topic = :topic
  AND dedupe_key = :dedupe_key
  AND expires_at <= {now}
