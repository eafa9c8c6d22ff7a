WITH moved AS (
  DELETE FROM outbox_events WHERE sent_at IS NULL RETURNING *
)
INSERT INTO outbox (lane, message_id, topic, msg_key, payload)
SELECT
  ('x' || substr(encode(sha256(convert_to(aggregate_id, 'UTF8')), 'hex'), 1, 8))::bit(32)::bigint % (SELECT lanes FROM outbox_meta),
  event_id, event_type, aggregate_id, convert_to(payload::text, 'UTF8')
FROM moved
ORDER BY id
