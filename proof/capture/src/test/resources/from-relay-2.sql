-- 3. wait until this is 0: the relay has published what the reader does not see
SELECT count(*) FROM (SELECT id FROM outbox WHERE id <= :last
  UNION ALL SELECT id FROM outbox_parked UNION ALL SELECT id FROM outbox_delayed) AS older;
