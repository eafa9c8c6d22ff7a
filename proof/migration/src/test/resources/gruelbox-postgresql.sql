WITH moved AS (
  DELETE FROM txno_outbox WHERE NOT processed AND NOT blocked RETURNING *
)
INSERT INTO outbox (lane, message_id, topic, msg_key, payload)
SELECT
  ('x' || substr(encode(sha256(convert_to(invocation::json #>> '{a,0,v}', 'UTF8')), 'hex'), 1, 8))::bit(32)::bigint % (SELECT lanes FROM outbox_meta),
  id::uuid, 'orders.placed', invocation::json #>> '{a,0,v}', convert_to(invocation::json #>> '{a,1,v}', 'UTF8')
FROM moved
ORDER BY nextattempttime
