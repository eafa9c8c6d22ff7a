-- From schema version 1 to 2, for MySQL. Close all relays first; writers may go on.
-- Repeated by hand it ends with the first statement that has been run; Schema.upgrade() goes on behind it.
-- Checks are kept, and can be dropped, since 8.0.16.
-- By hand, first SET SESSION lock_wait_timeout = 5, innodb_lock_wait_timeout = 5: who writes to a table waits behind a statement that waits for a long transaction.

ALTER TABLE outbox_parked
  DROP KEY outbox_parked_heads,
  ADD KEY outbox_parked_heads (lane, due_at, reason, id, topic);

ALTER TABLE outbox_parked /*!80016 DROP CHECK outbox_parked_due */;

ALTER TABLE outbox_parked /*!80016 ADD CONSTRAINT outbox_parked_waits CHECK (msg_key IS NOT NULL OR due_at IS NOT NULL OR reason = 'TOPIC') */;

ALTER TABLE outbox_dead ADD COLUMN holds smallint NOT NULL DEFAULT 0;

ALTER TABLE outbox_dead ADD KEY outbox_dead_topics (topic, dead_id);

ALTER TABLE outbox_dead ADD KEY outbox_dead_keys (topic, msg_key, dead_id);

ALTER TABLE outbox_dead ADD KEY outbox_dead_holds (lane, holds, topic, msg_key, id);

ALTER TABLE outbox_relay ADD COLUMN sharing smallint NOT NULL DEFAULT 1;

ALTER TABLE outbox_topic MODIFY topic varbinary(1020) NOT NULL;

UPDATE outbox_meta SET schema_version = 2 WHERE schema_version = 1;
