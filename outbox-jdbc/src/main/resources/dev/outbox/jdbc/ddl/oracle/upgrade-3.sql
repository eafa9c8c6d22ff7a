-- From schema version 2 to 3, for Oracle. Close all relays first; writers may go on.
-- Repeated by hand it ends with the first statement that has been run; Schema.upgrade() goes on behind it.

ALTER TABLE outbox_meta ADD (clusters NUMBER(5) DEFAULT 1 NOT NULL);

ALTER TABLE outbox_meta ADD (cluster_id NUMBER(5) DEFAULT 0 NOT NULL);

ALTER TABLE outbox_lane ADD (lease_micros NUMBER(19));

UPDATE outbox_meta SET schema_version = 3 WHERE schema_version = 2;
