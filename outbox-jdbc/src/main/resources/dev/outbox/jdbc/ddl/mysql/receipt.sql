-- What a consumer has handled: the inbox. Optional.

CREATE TABLE IF NOT EXISTS outbox_receipt (
  consumer varchar(255) NOT NULL,
  message_id binary(16) NOT NULL,
  received_at datetime(6) NOT NULL,
  PRIMARY KEY (consumer, message_id),
  KEY outbox_receipt_received (received_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
