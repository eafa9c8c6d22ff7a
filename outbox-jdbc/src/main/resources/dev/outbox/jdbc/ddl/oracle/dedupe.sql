-- Keys of messages enqueued once. Optional.

CREATE TABLE outbox_dedupe (
  topic VARCHAR2(255 CHAR) NOT NULL,
  dedupe_key VARCHAR2(255 CHAR) NOT NULL,
  message_id RAW(16) NOT NULL,
  created_at TIMESTAMP(6) NOT NULL,
  expires_at TIMESTAMP(6) NOT NULL,
  CONSTRAINT outbox_dedupe_pk PRIMARY KEY (topic, dedupe_key) USING INDEX INITRANS 8
) INITRANS 8;

CREATE INDEX outbox_dedupe_expires ON outbox_dedupe (expires_at) INITRANS 8;
