-- From schema version 2 to 3, for MySQL. Close all relays first; writers may go on.
-- Repeated by hand it ends with the first statement that has been run; Schema.upgrade() goes on behind it.
-- By hand, first SET SESSION lock_wait_timeout = 5, innodb_lock_wait_timeout = 5: who writes to a table waits behind a statement that waits for a long transaction.

ALTER TABLE outbox_meta ADD COLUMN clusters smallint NOT NULL DEFAULT 1;

ALTER TABLE outbox_meta ADD COLUMN cluster_id smallint NOT NULL DEFAULT 0;

ALTER TABLE outbox_lane ADD COLUMN lease_micros bigint;

UPDATE outbox_meta SET schema_version = 3 WHERE schema_version = 2;
