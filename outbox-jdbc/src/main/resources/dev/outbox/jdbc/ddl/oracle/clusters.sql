-- Signs of life of several clusters, and notes of what was taken over. For tables made for several clusters; replicated with outbox, outbox_parked, outbox_delayed and outbox_dead.

CREATE TABLE outbox_beat (
  cluster_id NUMBER(5) NOT NULL,
  beat NUMBER(19) NOT NULL,
  standing VARCHAR2(16 CHAR) NOT NULL,
  since_beat NUMBER(19) NOT NULL,
  seen VARCHAR2(1000 CHAR),
  beaten_at TIMESTAMP(6) NOT NULL,
  lanes NUMBER(10) NOT NULL,
  clusters NUMBER(5) NOT NULL,
  CONSTRAINT outbox_beat_pk PRIMARY KEY (cluster_id, beat) USING INDEX INITRANS 8
) INITRANS 8;

CREATE TABLE outbox_takeover (
  lane NUMBER(10) NOT NULL,
  id NUMBER(19) NOT NULL,
  later NUMBER(5) NOT NULL,
  cluster_id NUMBER(5) NOT NULL,
  message_id RAW(16) NOT NULL,
  batch NUMBER(19) NOT NULL,
  taken_at TIMESTAMP(6) NOT NULL,
  CONSTRAINT outbox_takeover_pk PRIMARY KEY (lane, id, later, message_id, cluster_id, batch) USING INDEX INITRANS 8
) INITRANS 8;

CREATE INDEX outbox_takeover_batch ON outbox_takeover (cluster_id, batch) INITRANS 8;
