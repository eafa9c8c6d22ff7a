-- Delivered messages, kept. Optional: for stores built with archive().

CREATE TABLE IF NOT EXISTS outbox_archive (
  lane int NOT NULL,
  id bigint NOT NULL,
  message_id binary(16) NOT NULL,
  topic varchar(255) NOT NULL,
  msg_key varchar(255),
  headers mediumtext,
  content_type varchar(255) NOT NULL,
  payload longblob,
  ref_table varchar(128),
  ref_id varchar(255),
  origin smallint NOT NULL,
  not_after datetime(6),
  created_at datetime(6),
  completed_at datetime(6) NOT NULL,
  PRIMARY KEY (lane, id),
  KEY outbox_archive_completed (completed_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
