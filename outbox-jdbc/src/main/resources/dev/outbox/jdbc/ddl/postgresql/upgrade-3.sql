-- From schema version 2 to 3, for PostgreSQL. Close all relays first; writers may go on. Harmless when repeated.
-- By hand, first SET lock_timeout = '5s': who writes to a table waits behind a statement that waits for a long transaction.

ALTER TABLE outbox_meta ADD COLUMN IF NOT EXISTS clusters smallint NOT NULL DEFAULT 1;

ALTER TABLE outbox_meta ADD COLUMN IF NOT EXISTS cluster_id smallint NOT NULL DEFAULT 0;

ALTER TABLE outbox_lane ADD COLUMN IF NOT EXISTS lease_micros bigint;

UPDATE outbox_meta SET schema_version = 3 WHERE schema_version = 2;
