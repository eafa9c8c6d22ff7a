-- Keys of messages enqueued once. Optional.

CREATE TABLE IF NOT EXISTS outbox_dedupe (
  dedupe_key varchar(255) NOT NULL,
  message_id binary(16) NOT NULL,
  created_at datetime(6) NOT NULL,
  PRIMARY KEY (dedupe_key),
  KEY outbox_dedupe_created (created_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
