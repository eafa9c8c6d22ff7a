-- Keys of messages enqueued once. Optional.

CREATE TABLE IF NOT EXISTS outbox_dedupe (
  dedupe_key varchar(255) NOT NULL,
  message_id uuid NOT NULL,
  created_at timestamp(6) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  CONSTRAINT outbox_dedupe_pk PRIMARY KEY (dedupe_key)
);

CREATE INDEX IF NOT EXISTS outbox_dedupe_created ON outbox_dedupe (created_at);
