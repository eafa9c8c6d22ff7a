WITH moved AS (
  DELETE FROM event_publication
  WHERE completion_date IS NULL AND event_type = 'com.example.OrderPlaced' AND listener_id LIKE '%EventExternalizer%'
  RETURNING *, serialized_event::json ->> 'customer' AS customer
)
INSERT INTO outbox (lane, message_id, topic, msg_key, payload)
SELECT
  ('x' || substr(encode(sha256(convert_to(customer, 'UTF8')), 'hex'), 1, 8))::bit(32)::bigint % (SELECT lanes FROM outbox_meta),
  id, 'orders.placed', customer, convert_to(serialized_event, 'UTF8')
FROM moved
ORDER BY publication_date
