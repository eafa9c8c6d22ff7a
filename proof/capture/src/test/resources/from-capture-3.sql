-- 5. else it keeps the log for nobody
SELECT pg_drop_replication_slot('outbox');
DROP PUBLICATION outbox;
