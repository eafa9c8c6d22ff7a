-- 2. the slot keeps the log from here on; then look up the last id that the reader may not see
SELECT coalesce(max(id), 0) FROM outbox;
