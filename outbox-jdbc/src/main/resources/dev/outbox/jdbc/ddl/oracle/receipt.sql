-- What a consumer has handled: the inbox. Optional.

CREATE TABLE outbox_receipt (
  consumer VARCHAR2(255 CHAR) NOT NULL,
  message_id RAW(16) NOT NULL,
  received_at TIMESTAMP(6) DEFAULT SYS_EXTRACT_UTC(SYSTIMESTAMP) NOT NULL,
  CONSTRAINT outbox_receipt_pk PRIMARY KEY (consumer, message_id) USING INDEX INITRANS 8
) INITRANS 8;

CREATE INDEX outbox_receipt_received ON outbox_receipt (received_at) INITRANS 8;
