-- Keys of messages enqueued once. Optional.

CREATE TABLE IF NOT EXISTS outbox_dedupe (
  dedupe_key varchar(255) NOT NULL,
  message_id uuid NOT NULL,
  created_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_dedupe_pk PRIMARY KEY (dedupe_key)
);

CREATE INDEX IF NOT EXISTS outbox_dedupe_created ON outbox_dedupe (created_at);
