-- Delivered messages, kept. Optional: for stores built with archive().

CREATE TABLE outbox_archive (
  lane NUMBER(10) NOT NULL,
  id NUMBER(19) NOT NULL,
  message_id RAW(16) NOT NULL,
  topic VARCHAR2(255 CHAR) NOT NULL,
  msg_key VARCHAR2(255 CHAR),
  headers CLOB,
  content_type VARCHAR2(255 CHAR) NOT NULL,
  payload BLOB,
  ref_table VARCHAR2(128 CHAR),
  ref_id VARCHAR2(255 CHAR),
  origin NUMBER(5) NOT NULL,
  not_after TIMESTAMP(6),
  created_at TIMESTAMP(6) NOT NULL,
  completed_at TIMESTAMP(6) DEFAULT SYS_EXTRACT_UTC(SYSTIMESTAMP) NOT NULL,
  CONSTRAINT outbox_archive_pk PRIMARY KEY (lane, id) USING INDEX INITRANS 8
) INITRANS 8;

CREATE INDEX outbox_archive_completed ON outbox_archive (completed_at) INITRANS 8;
