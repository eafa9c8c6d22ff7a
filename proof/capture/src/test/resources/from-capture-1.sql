-- 1. what is deleted here is in the log; then note how far that is
-- (what stays comes again, or becomes a dead letter: it is too large for a record)
DELETE FROM outbox WHERE coalesce(octet_length(payload), 0) + coalesce(octet_length(headers), 0) < 1000000;
SELECT pg_current_wal_insert_lsn();
