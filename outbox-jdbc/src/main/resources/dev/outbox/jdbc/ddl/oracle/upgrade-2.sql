-- From schema version 1 to 2, for Oracle. Close all relays first; writers may go on.
-- Repeated by hand it ends with the first statement that has been run; Schema.upgrade() goes on behind it.

ALTER TABLE outbox_parked DROP CONSTRAINT outbox_parked_due;

ALTER TABLE outbox_parked ADD CONSTRAINT outbox_parked_waits CHECK (msg_key IS NOT NULL OR due_at IS NOT NULL OR reason = 'TOPIC');

DROP INDEX outbox_parked_heads;

CREATE INDEX outbox_parked_heads ON outbox_parked (lane, due_at, reason, id, topic) INITRANS 8;

ALTER TABLE outbox_dead ADD (holds NUMBER(5) DEFAULT 0 NOT NULL);

CREATE INDEX outbox_dead_topics ON outbox_dead (topic, dead_id) INITRANS 8;

CREATE INDEX outbox_dead_keys ON outbox_dead (topic, msg_key, dead_id) INITRANS 8;

CREATE INDEX outbox_dead_holds ON outbox_dead (lane, holds, topic, msg_key, id) INITRANS 8;

ALTER TABLE outbox_relay ADD (sharing NUMBER(5) DEFAULT 1 NOT NULL);

UPDATE outbox_meta SET schema_version = 2 WHERE schema_version = 1;
