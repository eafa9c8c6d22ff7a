-- From schema version 1 to 2, for PostgreSQL. Close all relays first; writers may go on. Harmless when repeated: indexes are made again.
-- By hand, first SET lock_timeout = '5s': who writes to a table waits behind a statement that waits for a long transaction.

ALTER TABLE outbox_parked
  DROP CONSTRAINT IF EXISTS outbox_parked_due,
  DROP CONSTRAINT IF EXISTS outbox_parked_waits,
  ADD CONSTRAINT outbox_parked_waits CHECK (msg_key IS NOT NULL OR due_at IS NOT NULL OR reason = 'TOPIC');

DROP INDEX IF EXISTS outbox_parked_heads;

CREATE INDEX IF NOT EXISTS outbox_parked_heads ON outbox_parked (lane, due_at, reason, id, topic);

ALTER TABLE outbox_dead ADD COLUMN IF NOT EXISTS holds smallint NOT NULL DEFAULT 0;

DROP INDEX IF EXISTS outbox_dead_topics;

CREATE INDEX IF NOT EXISTS outbox_dead_topics ON outbox_dead (topic, dead_id);

DROP INDEX IF EXISTS outbox_dead_keys;

CREATE INDEX IF NOT EXISTS outbox_dead_keys ON outbox_dead (topic, msg_key, dead_id);

DROP INDEX IF EXISTS outbox_dead_holds;

CREATE INDEX IF NOT EXISTS outbox_dead_holds ON outbox_dead (lane, topic, msg_key, id) WHERE holds = 1;

ALTER TABLE outbox_relay ADD COLUMN IF NOT EXISTS sharing smallint NOT NULL DEFAULT 1;

UPDATE outbox_meta SET schema_version = 2 WHERE schema_version = 1;
