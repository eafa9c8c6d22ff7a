-- What a consumer has handled: the inbox. Optional, in the consumer's database; it needs no other table.

CREATE TABLE IF NOT EXISTS outbox_receipt (
  consumer varchar(255) NOT NULL,
  message_id uuid NOT NULL,
  received_at timestamptz(6) NOT NULL,
  expires_at timestamptz(6) NOT NULL,
  CONSTRAINT outbox_receipt_pk PRIMARY KEY (consumer, message_id)
);

CREATE INDEX IF NOT EXISTS outbox_receipt_expires ON outbox_receipt (expires_at);
