-- 1. what is deleted here is in the log; then note how far that is
DELETE FROM outbox;
SELECT pg_current_wal_insert_lsn();
