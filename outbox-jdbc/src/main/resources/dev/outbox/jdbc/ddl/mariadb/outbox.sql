-- Outbox tables for MariaDB 10.6 or newer. Plain statements, for mariadb, Flyway, Liquibase or Schema.create().
-- Times are UTC. The rows of a lane lie together, as they are read and settled; AUTO_INCREMENT wants an index that the id leads.

CREATE TABLE IF NOT EXISTS outbox (
  lane int NOT NULL,
  id bigint NOT NULL AUTO_INCREMENT,
  message_id binary(16) NOT NULL DEFAULT UNHEX(REPLACE(UUID(), '-', '')),
  topic varchar(255) NOT NULL,
  msg_key varchar(255),
  headers mediumtext,
  content_type varchar(255) NOT NULL DEFAULT 'application/json',
  payload longblob,
  ref_table varchar(128),
  ref_id varchar(255),
  origin smallint NOT NULL DEFAULT 0,
  not_after datetime(6),
  created_at datetime(6) NOT NULL DEFAULT UTC_TIMESTAMP(6),
  PRIMARY KEY (lane, id),
  KEY outbox_ids (id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_lane (
  lane int NOT NULL,
  owner varchar(255),
  epoch bigint NOT NULL DEFAULT 0,
  lease_until datetime(6),
  floor bigint NOT NULL DEFAULT 0,
  settles bigint NOT NULL DEFAULT 0,
  takeovers int NOT NULL DEFAULT 0,
  suspect_id bigint,
  suspect_count int NOT NULL DEFAULT 0,
  lease_micros bigint,
  PRIMARY KEY (lane),
  CONSTRAINT outbox_lane_leased CHECK ((owner IS NULL) = (lease_until IS NULL))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_parked (
  lane int NOT NULL,
  id bigint NOT NULL,
  cluster_id smallint NOT NULL DEFAULT 0,
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
  created_at datetime(6) NOT NULL,
  reason varchar(32) NOT NULL,
  attempts int NOT NULL,
  first_failed_at datetime(6),
  due_at datetime(6),
  last_error mediumtext,
  history mediumtext,
  PRIMARY KEY (lane, id, cluster_id),
  CONSTRAINT outbox_parked_waits CHECK (msg_key IS NOT NULL OR due_at IS NOT NULL OR reason = 'TOPIC'),
  KEY outbox_parked_keys (lane, topic, msg_key, id),
  KEY outbox_parked_heads (lane, due_at, reason, id, topic)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_delayed (
  id bigint NOT NULL AUTO_INCREMENT,
  lane int NOT NULL,
  due_at datetime(6) NOT NULL,
  message_id binary(16) NOT NULL DEFAULT UNHEX(REPLACE(UUID(), '-', '')),
  topic varchar(255) NOT NULL,
  msg_key varchar(255),
  headers mediumtext,
  content_type varchar(255) NOT NULL DEFAULT 'application/json',
  payload longblob,
  ref_table varchar(128),
  ref_id varchar(255),
  origin smallint NOT NULL DEFAULT 0,
  not_after datetime(6),
  created_at datetime(6) NOT NULL DEFAULT UTC_TIMESTAMP(6),
  PRIMARY KEY (id),
  KEY outbox_delayed_heads (lane, due_at, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_dead (
  dead_id bigint NOT NULL AUTO_INCREMENT,
  cluster_id smallint NOT NULL DEFAULT 0,
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
  created_at datetime(6) NOT NULL,
  reason varchar(32) NOT NULL,
  attempts int NOT NULL,
  last_error mediumtext,
  history mediumtext,
  died_at datetime(6) NOT NULL DEFAULT UTC_TIMESTAMP(6),
  holds smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (dead_id, cluster_id),
  KEY outbox_dead_died (died_at),
  KEY outbox_dead_topics (topic, dead_id),
  KEY outbox_dead_keys (topic, msg_key, dead_id),
  KEY outbox_dead_holds (lane, holds, topic, msg_key, id)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_meta (
  id smallint NOT NULL DEFAULT 1,
  schema_version int NOT NULL,
  lanes int NOT NULL,
  claiming varchar(16) NOT NULL,
  clusters smallint NOT NULL DEFAULT 1,
  cluster_id smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  CONSTRAINT outbox_meta_one CHECK (id = 1),
  CONSTRAINT outbox_meta_way CHECK (claiming IN ('LANES', 'ROWS'))
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_relay (
  relay varchar(255) NOT NULL,
  live_until datetime(6) NOT NULL,
  started_at datetime(6) NOT NULL DEFAULT UTC_TIMESTAMP(6),
  sharing smallint NOT NULL DEFAULT 1,
  PRIMARY KEY (relay)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_topic (
  topic varbinary(1020) NOT NULL,
  paused smallint NOT NULL DEFAULT 0,
  rate_limit int,
  in_flight_cap int,
  strict smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT IGNORE INTO outbox_meta (id, schema_version, lanes, claiming, clusters, cluster_id) VALUES (1, 3, 32, 'LANES', 1, 0);

INSERT IGNORE INTO outbox_lane (lane)
WITH RECURSIVE digits (digit) AS (SELECT 0 UNION ALL SELECT digit + 1 FROM digits WHERE digit < 63)
SELECT m.cluster_id * m.lanes + high.digit * 64 + low.digit
FROM outbox_meta m
CROSS JOIN digits high
CROSS JOIN digits low
WHERE high.digit * 64 + low.digit < m.lanes
  AND m.cluster_id * m.lanes + high.digit * 64 + low.digit NOT IN (SELECT lane FROM outbox_lane);
