-- Signs of life of several clusters, and notes of what was taken over. For tables made for several clusters; replicated with outbox, outbox_parked, outbox_delayed and outbox_dead.

CREATE TABLE IF NOT EXISTS outbox_beat (
  cluster_id smallint NOT NULL,
  beat bigint NOT NULL,
  standing varchar(16) NOT NULL,
  since_beat bigint NOT NULL,
  seen varchar(1000),
  beaten_at timestamptz(6) NOT NULL,
  lanes integer NOT NULL,
  clusters smallint NOT NULL,
  CONSTRAINT outbox_beat_pk PRIMARY KEY (cluster_id, beat)
);

CREATE TABLE IF NOT EXISTS outbox_takeover (
  lane integer NOT NULL,
  id bigint NOT NULL,
  later smallint NOT NULL,
  cluster_id smallint NOT NULL,
  message_id uuid NOT NULL,
  batch bigint NOT NULL,
  taken_at timestamptz(6) NOT NULL,
  CONSTRAINT outbox_takeover_pk PRIMARY KEY (lane, id, later, message_id, cluster_id, batch)
);

CREATE INDEX IF NOT EXISTS outbox_takeover_batch ON outbox_takeover (cluster_id, batch);
