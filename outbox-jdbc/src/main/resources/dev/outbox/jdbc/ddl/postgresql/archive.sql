-- Delivered messages, kept. Optional: for stores built with archive().

CREATE TABLE IF NOT EXISTS outbox_archive (
  lane integer NOT NULL,
  id bigint NOT NULL,
  message_id uuid NOT NULL,
  topic varchar(255) NOT NULL,
  msg_key varchar(255),
  headers text,
  content_type varchar(255) NOT NULL,
  payload bytea,
  ref_table varchar(128),
  ref_id varchar(255),
  origin smallint NOT NULL,
  not_after timestamptz(6),
  created_at timestamptz(6) NOT NULL,
  completed_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT outbox_archive_pk PRIMARY KEY (lane, id)
);

CREATE INDEX IF NOT EXISTS outbox_archive_completed ON outbox_archive (completed_at);
