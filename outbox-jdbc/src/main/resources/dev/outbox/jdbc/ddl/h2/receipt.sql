-- What a consumer has handled: the inbox. Optional.

CREATE TABLE IF NOT EXISTS outbox_receipt (
  consumer varchar(255) NOT NULL,
  message_id uuid NOT NULL,
  received_at timestamp(6) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  CONSTRAINT outbox_receipt_pk PRIMARY KEY (consumer, message_id)
);

CREATE INDEX IF NOT EXISTS outbox_receipt_received ON outbox_receipt (received_at);
