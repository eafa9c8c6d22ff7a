-- once, as a superuser, or as the owner of the table with REPLICATION and CREATE on the database
CREATE PUBLICATION outbox FOR TABLE outbox WITH (publish = 'insert');
SELECT pg_create_logical_replication_slot('outbox', 'pgoutput');
