START TRANSACTION;
INSERT INTO outbox (lane, message_id, topic, msg_key, payload)
SELECT
  conv(substr(sha2(json_unquote(json_extract(invocation, '$.a[0].v')), 256), 1, 8), 16, 10) % (SELECT lanes FROM outbox_meta),
  unhex(replace(id, '-', '')), 'orders.placed',
  json_unquote(json_extract(invocation, '$.a[0].v')), json_unquote(json_extract(invocation, '$.a[1].v'))
FROM TXNO_OUTBOX
WHERE NOT processed AND NOT blocked
ORDER BY nextAttemptTime;
DELETE FROM TXNO_OUTBOX WHERE NOT processed AND NOT blocked;
COMMIT
