-- Keys of messages enqueued once. Optional.
-- Names and keys are the bytes of their UTF-8: to a collation that pads 'a' equals 'a '.
-- A slot is locked before a row is written: two that wait for an INSERT of one key would deadlock when it is rolled back.

CREATE TABLE IF NOT EXISTS outbox_dedupe (
  topic varbinary(1020) NOT NULL,
  dedupe_key varbinary(1020) NOT NULL,
  message_id binary(16) NOT NULL,
  created_at datetime(6) NOT NULL,
  expires_at datetime(6) NOT NULL,
  PRIMARY KEY (topic, dedupe_key),
  KEY outbox_dedupe_expires (expires_at)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_dedupe_slot (
  slot int NOT NULL,
  PRIMARY KEY (slot)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT IGNORE INTO outbox_dedupe_slot (slot)
WITH RECURSIVE digits (digit) AS (SELECT 0 UNION ALL SELECT digit + 1 FROM digits WHERE digit < 31)
SELECT high.digit * 32 + low.digit
FROM digits high
CROSS JOIN digits low
WHERE high.digit * 32 + low.digit NOT IN (SELECT slot FROM outbox_dedupe_slot);
