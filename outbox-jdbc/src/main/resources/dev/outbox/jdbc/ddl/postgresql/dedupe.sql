-- Keys of messages enqueued once. Optional.

CREATE TABLE IF NOT EXISTS outbox_dedupe (
  topic varchar(255) NOT NULL,
  dedupe_key varchar(255) NOT NULL,
  message_id uuid NOT NULL,
  created_at timestamptz(6) NOT NULL,
  expires_at timestamptz(6) NOT NULL,
  CONSTRAINT outbox_dedupe_pk PRIMARY KEY (topic, dedupe_key)
);

CREATE INDEX IF NOT EXISTS outbox_dedupe_expires ON outbox_dedupe (expires_at);
