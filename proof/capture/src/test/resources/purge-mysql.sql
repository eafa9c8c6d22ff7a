-- until it deletes none; otherwise isolated, writers would wait for it
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
DELETE FROM outbox WHERE created_at < UTC_TIMESTAMP(6) - INTERVAL 1 DAY
  AND coalesce(octet_length(payload), 0) + coalesce(octet_length(headers), 0) < 1000000 LIMIT 10000;
