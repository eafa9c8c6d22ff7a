START TRANSACTION;
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, payload)
SELECT
  conv(substr(sha2(convert(record_key USING utf8mb4), 256), 1, 8), 16, 10) % (SELECT lanes FROM outbox_meta),
  unhex(replace(id, '-', '')), 'orders.placed', record_key, context, payload
FROM outbox_record
WHERE status = 'NEW'
ORDER BY created_at;
DELETE FROM outbox_record WHERE status = 'NEW';
COMMIT
