-- What a consumer has handled: the inbox. Optional.

CREATE TABLE IF NOT EXISTS outbox_receipt (
  consumer varchar(255) NOT NULL,
  message_id uuid NOT NULL,
  received_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_receipt_pk PRIMARY KEY (consumer, message_id)
);

CREATE INDEX IF NOT EXISTS outbox_receipt_received ON outbox_receipt (received_at);
