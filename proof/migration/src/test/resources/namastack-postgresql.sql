WITH moved AS (
  DELETE FROM outbox_record WHERE status = 'NEW' RETURNING *
)
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, payload)
SELECT
  ('x' || substr(encode(sha256(convert_to(record_key, 'UTF8')), 'hex'), 1, 8))::bit(32)::bigint % (SELECT lanes FROM outbox_meta),
  id::uuid, 'orders.placed', record_key, context, convert_to(payload, 'UTF8')
FROM moved
ORDER BY created_at
