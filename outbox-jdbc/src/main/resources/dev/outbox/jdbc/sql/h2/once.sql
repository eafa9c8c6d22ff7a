-- name: insertReceipts.tuple
-- refused as a duplicate, which undoes the statement alone
(:consumer, :message_id, {now}, DATEADD(MICROSECOND, CAST(:keep AS bigint), {now}))

-- name: purgeReceipts.lock  shape: limited
SELECT consumer, message_id
FROM {receipt}
WHERE expires_at <= {now}
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED

-- name: insertKeys.tuple
(:topic, :dedupe_key, :message_id, {now}, DATEADD(MICROSECOND, CAST(:keep AS bigint), {now}))

-- name: retakeKey
UPDATE {dedupe}
SET message_id = :message_id,
  created_at = {now},
  expires_at = DATEADD(MICROSECOND, CAST(:keep AS bigint), {now})
WHERE topic = :topic
  AND dedupe_key = :dedupe_key
  AND expires_at <= {now}

-- name: purgeKeys.lock  shape: limited
SELECT topic, dedupe_key
FROM {dedupe}
WHERE expires_at <= {now}
FETCH FIRST :limit ROWS ONLY
FOR UPDATE SKIP LOCKED
