-- 2. wait until this is true: the reader has published all that was deleted
SELECT confirmed_flush_lsn >= :position FROM pg_replication_slots WHERE slot_name = 'outbox';
