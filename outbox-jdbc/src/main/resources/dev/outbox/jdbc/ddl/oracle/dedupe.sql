-- Keys of messages enqueued once. Optional.

CREATE TABLE outbox_dedupe (
  dedupe_key VARCHAR2(255 CHAR) NOT NULL,
  message_id RAW(16) NOT NULL,
  created_at TIMESTAMP(6) DEFAULT SYS_EXTRACT_UTC(SYSTIMESTAMP) NOT NULL,
  CONSTRAINT outbox_dedupe_pk PRIMARY KEY (dedupe_key) USING INDEX INITRANS 8
) INITRANS 8;

CREATE INDEX outbox_dedupe_created ON outbox_dedupe (created_at) INITRANS 8;
