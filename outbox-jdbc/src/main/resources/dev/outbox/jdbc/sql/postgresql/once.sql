-- name: insertReceipts.tuple
(:consumer, :message_id, {now}, {now} + CAST(:keep AS bigint) * INTERVAL '1 microsecond')

-- name: insertReceipts.tail
ON CONFLICT (consumer, message_id) DO NOTHING

-- name: purgeReceipts  shape: direct
-- the condition is asked again for the reason at purgeDead
DELETE FROM {receipt}
WHERE ctid = ANY(ARRAY(
    SELECT r.ctid
    FROM {receipt} r
    WHERE r.expires_at <= {now}
    ORDER BY r.expires_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED))
  AND CASE WHEN expires_at <= {now} THEN true END

-- name: insertKeys.tuple
(:topic, :dedupe_key, :message_id, {now}, {now} + CAST(:keep AS bigint) * INTERVAL '1 microsecond')

-- name: insertKeys.tail
ON CONFLICT (topic, dedupe_key) DO NOTHING

-- name: retakeKey
UPDATE {dedupe}
SET message_id = :message_id,
  created_at = {now},
  expires_at = {now} + CAST(:keep AS bigint) * INTERVAL '1 microsecond'
WHERE topic = :topic
  AND dedupe_key = :dedupe_key
  AND expires_at <= {now}

-- name: purgeKeys  shape: direct
-- the condition is asked again for the reason at purgeDead
DELETE FROM {dedupe}
WHERE ctid = ANY(ARRAY(
    SELECT d.ctid
    FROM {dedupe} d
    WHERE d.expires_at <= {now}
    ORDER BY d.expires_at
    LIMIT :limit
    FOR UPDATE SKIP LOCKED))
  AND CASE WHEN expires_at <= {now} THEN true END
