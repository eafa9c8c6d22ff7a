START TRANSACTION;
INSERT INTO outbox (lane, message_id, topic, msg_key, payload)
SELECT
  conv(substr(sha2(convert(aggregate_id USING utf8mb4), 256), 1, 8), 16, 10) % (SELECT lanes FROM outbox_meta),
  unhex(replace(event_id, '-', '')), event_type, aggregate_id, payload
FROM outbox_events
WHERE sent_at IS NULL
ORDER BY id;
DELETE FROM outbox_events WHERE sent_at IS NULL;
COMMIT
