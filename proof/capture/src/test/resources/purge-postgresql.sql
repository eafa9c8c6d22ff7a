DELETE FROM outbox WHERE created_at < now() - interval '1 day';
