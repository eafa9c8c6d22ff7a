-- once, as a superuser or the owner of the table with REPLICATION
CREATE PUBLICATION outbox FOR TABLE outbox WITH (publish = 'insert');
SELECT pg_create_logical_replication_slot('outbox', 'pgoutput');
