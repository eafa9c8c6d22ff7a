-- 2. the slot keeps the log from here on; then look up the last id that the reader may not see
SELECT max(id) FROM outbox;
