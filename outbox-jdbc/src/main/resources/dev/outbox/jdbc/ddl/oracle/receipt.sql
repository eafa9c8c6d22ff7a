-- What a consumer has handled: the inbox. Optional, in the consumer's database; it needs no other table.

CREATE TABLE outbox_receipt (
  consumer VARCHAR2(255 CHAR) NOT NULL,
  message_id RAW(16) NOT NULL,
  received_at TIMESTAMP(6) NOT NULL,
  expires_at TIMESTAMP(6) NOT NULL,
  CONSTRAINT outbox_receipt_pk PRIMARY KEY (consumer, message_id) USING INDEX INITRANS 8
) INITRANS 8;

CREATE INDEX outbox_receipt_expires ON outbox_receipt (expires_at) INITRANS 8;
