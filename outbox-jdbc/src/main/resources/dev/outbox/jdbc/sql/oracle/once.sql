-- name: insertReceipts  shape: batch
-- refused as a duplicate (ORA-00001), which undoes the statement alone
INSERT INTO {receipt} (consumer, message_id, received_at, expires_at)
VALUES (:consumer, :message_id, {now}, {now} + NUMTODSINTERVAL(:keep * 0.000001, 'SECOND'))

-- name: purgeReceipts.lock  shape: cursor
SELECT consumer, message_id
FROM {receipt}
WHERE expires_at <= {now}
FOR UPDATE SKIP LOCKED

-- name: insertKeys  shape: batch
INSERT INTO {dedupe} (topic, dedupe_key, message_id, created_at, expires_at)
VALUES (:topic, :dedupe_key, :message_id, {now}, {now} + NUMTODSINTERVAL(:keep * 0.000001, 'SECOND'))

-- name: retakeKey
UPDATE {dedupe}
SET message_id = :message_id,
  created_at = {now},
  expires_at = {now} + NUMTODSINTERVAL(:keep * 0.000001, 'SECOND')
WHERE topic = :topic
  AND dedupe_key = :dedupe_key
  AND expires_at <= {now}

-- name: purgeKeys.lock  shape: cursor
SELECT topic, dedupe_key
FROM {dedupe}
WHERE expires_at <= {now}
FOR UPDATE SKIP LOCKED
