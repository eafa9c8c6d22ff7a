START TRANSACTION;
INSERT INTO outbox (lane, message_id, topic, msg_key, payload)
SELECT
  conv(substr(sha2(json_unquote(json_extract(SERIALIZED_EVENT, '$.customer')), 256), 1, 8), 16, 10) % (SELECT lanes FROM outbox_meta),
  unhex(replace(ID, '-', '')), 'orders.placed',
  json_unquote(json_extract(SERIALIZED_EVENT, '$.customer')), SERIALIZED_EVENT
FROM EVENT_PUBLICATION
WHERE COMPLETION_DATE IS NULL AND EVENT_TYPE = 'com.example.OrderPlaced' AND LISTENER_ID LIKE '%EventExternalizer%'
ORDER BY PUBLICATION_DATE;
DELETE FROM EVENT_PUBLICATION
WHERE COMPLETION_DATE IS NULL AND EVENT_TYPE = 'com.example.OrderPlaced' AND LISTENER_ID LIKE '%EventExternalizer%';
COMMIT
