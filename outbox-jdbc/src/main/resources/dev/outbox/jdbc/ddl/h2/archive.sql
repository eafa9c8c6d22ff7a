-- Delivered messages, kept. Optional: for stores built with archive().

CREATE TABLE IF NOT EXISTS outbox_archive (
  lane integer NOT NULL,
  id bigint NOT NULL,
  message_id uuid NOT NULL,
  topic varchar(255) NOT NULL,
  msg_key varchar(255),
  headers varchar,
  content_type varchar(255) NOT NULL,
  payload varbinary(1000000000),
  ref_table varchar(128),
  ref_id varchar(255),
  origin smallint NOT NULL,
  not_after timestamp(6) with time zone,
  created_at timestamp(6) with time zone NOT NULL,
  completed_at timestamp(6) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  CONSTRAINT outbox_archive_pk PRIMARY KEY (lane, id)
);

CREATE INDEX IF NOT EXISTS outbox_archive_completed ON outbox_archive (completed_at);
