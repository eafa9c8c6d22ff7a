-- Signs of life of several clusters, and notes of what was taken over. For tables made for several clusters; replicated with outbox, outbox_parked, outbox_delayed and outbox_dead.

CREATE TABLE IF NOT EXISTS outbox_beat (
  cluster_id smallint NOT NULL,
  beat bigint NOT NULL,
  standing varchar(16) NOT NULL,
  since_beat bigint NOT NULL,
  seen varchar(1000),
  beaten_at datetime(6) NOT NULL,
  lanes int NOT NULL,
  clusters smallint NOT NULL,
  PRIMARY KEY (cluster_id, beat)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS outbox_takeover (
  lane int NOT NULL,
  id bigint NOT NULL,
  later smallint NOT NULL,
  cluster_id smallint NOT NULL,
  message_id binary(16) NOT NULL,
  batch bigint NOT NULL,
  taken_at datetime(6) NOT NULL,
  PRIMARY KEY (lane, id, later, message_id, cluster_id, batch),
  KEY outbox_takeover_batch (cluster_id, batch)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
