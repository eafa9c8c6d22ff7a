-- ClusterSql.beats
SELECT cluster_id, beat, standing, since_beat, seen, beaten_at, lanes, clusters FROM outbox_beat

-- ClusterSql.deleteBeats
DELETE FROM outbox_beat WHERE cluster_id = 0 AND beat < :beat
-- of several clusters
DELETE FROM outbox_beat WHERE cluster_id = 1 AND beat < :beat

-- ClusterSql.freeLanes
UPDATE outbox_lane SET owner = NULL, lease_until = NULL WHERE owner IS NOT NULL

-- ClusterSql.insertBeat
INSERT INTO outbox_beat (cluster_id, beat, standing, since_beat, seen, beaten_at, lanes, clusters) VALUES (0,
:beat, :standing, :since, :seen, :at, :lanes, :clusters)
-- of several clusters
INSERT INTO outbox_beat (cluster_id, beat, standing, since_beat, seen, beaten_at, lanes, clusters) VALUES (1,
:beat, :standing, :since, :seen, :at, :lanes, :clusters)

-- ClusterSql.last DELAYED
SELECT MAX(o.id + 0) AS id FROM outbox_delayed o WHERE o.lane = :lane AND o.due_at <= (SELECT
clock_timestamp())

-- ClusterSql.last PARKED
SELECT MAX(o.id) AS id FROM outbox_parked o WHERE o.lane = :lane

-- ClusterSql.last READY
SELECT MAX(o.id) AS id FROM outbox o WHERE o.lane = :lane

-- ClusterSql.lastBatch
SELECT MAX(batch) AS batch FROM outbox_takeover WHERE cluster_id = 0
-- of several clusters
SELECT MAX(batch) AS batch FROM outbox_takeover WHERE cluster_id = 1

-- ClusterSql.lockLanes
SELECT lane, CASE WHEN owner IS NOT NULL AND lease_until > (SELECT clock_timestamp()) THEN 1 ELSE 0 END AS
leased FROM outbox_lane ORDER BY lane FOR UPDATE

-- ClusterSql.note DELAYED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox_delayed o WHERE o.lane =
:lane AND o.id <= :upTo AND o.due_at <= (SELECT clock_timestamp()) AND NOT EXISTS ( SELECT 1 FROM
outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND
NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND
d.msg_key = o.msg_key ) ORDER BY o.due_at, o.id LIMIT :limit
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox_delayed o WHERE o.lane =
:lane AND o.id <= :upTo AND o.due_at <= (SELECT clock_timestamp()) AND NOT EXISTS ( SELECT 1 FROM
outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND
NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND
d.msg_key = o.msg_key ) ORDER BY o.due_at, o.id LIMIT :limit

-- ClusterSql.note PARKED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox_parked o WHERE o.lane =
:lane AND o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id
AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.id LIMIT
:limit
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox_parked o WHERE o.lane =
:lane AND o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id
AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.id LIMIT
:limit

-- ClusterSql.note READY
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox o WHERE o.lane = :lane
AND o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.id LIMIT
:limit
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox o WHERE o.lane = :lane
AND o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.id LIMIT
:limit

-- ClusterSql.noteOne DELAYED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox_delayed o WHERE o.lane =
:lane AND o.id = :id AND o.due_at <= (SELECT clock_timestamp()) AND NOT EXISTS ( SELECT 1 FROM outbox_takeover
t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND NOT EXISTS (
SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key =
o.msg_key )
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox_delayed o WHERE o.lane =
:lane AND o.id = :id AND o.due_at <= (SELECT clock_timestamp()) AND NOT EXISTS ( SELECT 1 FROM outbox_takeover
t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND NOT EXISTS (
SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key =
o.msg_key )

-- ClusterSql.noteOne PARKED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox_parked o WHERE o.lane =
:lane AND o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id
AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id)
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox_parked o WHERE o.lane =
:lane AND o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id
AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id)

-- ClusterSql.noteOne READY
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox o WHERE o.lane = :lane
AND o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id)
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), (SELECT clock_timestamp()) FROM outbox o WHERE o.lane = :lane
AND o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id)

-- ClusterSql.ofBatch
SELECT lane, id, message_id FROM outbox_takeover WHERE cluster_id = 0 AND batch = :batch ORDER BY id
-- of several clusters
SELECT lane, id, message_id FROM outbox_takeover WHERE cluster_id = 1 AND batch = :batch ORDER BY id

-- ClusterSql.standing
SELECT standing FROM outbox_beat WHERE cluster_id = 0 ORDER BY beat
-- of several clusters
SELECT standing FROM outbox_beat WHERE cluster_id = 1 ORDER BY beat

-- ClusterSql.take DELAYED
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT o.lane + :shift, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at FROM outbox_takeover t
JOIN outbox_delayed o ON o.lane = t.lane AND o.id = t.id AND o.message_id = t.message_id WHERE t.cluster_id =
0 AND t.batch = :batch ORDER BY o.due_at, o.id
-- of several clusters
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT o.lane + :shift, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at FROM outbox_takeover t
JOIN outbox_delayed o ON o.lane = t.lane AND o.id = t.id AND o.message_id = t.message_id WHERE t.cluster_id =
1 AND t.batch = :batch ORDER BY o.due_at, o.id

-- ClusterSql.take PARKED
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT o.lane + :shift, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at FROM outbox_takeover t
JOIN outbox_parked o ON o.lane = t.lane AND o.id = t.id AND o.message_id = t.message_id WHERE t.cluster_id = 0
AND t.batch = :batch ORDER BY o.id
-- of several clusters
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT o.lane + :shift, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at FROM outbox_takeover t
JOIN outbox_parked o ON o.lane = t.lane AND o.id = t.id AND o.message_id = t.message_id WHERE t.cluster_id = 1
AND t.batch = :batch ORDER BY o.id

-- ClusterSql.take READY
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT o.lane + :shift, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at FROM outbox_takeover t
JOIN outbox o ON o.lane = t.lane AND o.id = t.id AND o.message_id = t.message_id WHERE t.cluster_id = 0 AND
t.batch = :batch ORDER BY o.id
-- of several clusters
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT o.lane + :shift, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at FROM outbox_takeover t
JOIN outbox o ON o.lane = t.lane AND o.id = t.id AND o.message_id = t.message_id WHERE t.cluster_id = 1 AND
t.batch = :batch ORDER BY o.id

-- ClusterSql.toTake DELAYED
SELECT o.id FROM outbox_delayed o WHERE o.lane = :lane AND o.due_at <= (SELECT clock_timestamp()) AND NOT
EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND
t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds =
1 AND d.topic = o.topic AND d.msg_key = o.msg_key ) ORDER BY o.due_at, o.id LIMIT :limit

-- ClusterSql.toTake PARKED
SELECT o.id FROM outbox_parked o WHERE o.lane = :lane AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE
t.lane = o.lane AND t.id = o.id AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1
FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND
d.id < o.id) ORDER BY o.id LIMIT :limit

-- ClusterSql.toTake READY
SELECT o.id FROM outbox o WHERE o.lane = :lane AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane =
o.lane AND t.id = o.id AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM
outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id <
o.id) ORDER BY o.id LIMIT :limit

-- IdSql.forgetSuspect
UPDATE outbox_lane SET suspect_id = NULL, suspect_count = 0 WHERE lane = :lane

-- IdSql.highestDead
SELECT MAX(d.dead_id) AS highest FROM outbox_dead d WHERE d.dead_id >= :next

-- IdSql.highestDelayed
SELECT MAX(d.id) AS highest FROM outbox_delayed d WHERE d.id >= :next

-- IdSql.lanesWithSuspects
SELECT l.lane FROM outbox_lane l WHERE l.suspect_id IS NOT NULL AND (EXISTS ( SELECT 1 FROM outbox o WHERE
o.lane = l.lane AND o.id = l.suspect_id) OR EXISTS ( SELECT 1 FROM outbox_parked p WHERE p.lane = l.lane AND
p.id = l.suspect_id))

-- IdSql.lockRaising
SELECT m.schema_version FROM outbox_meta m FOR UPDATE

-- IdSql.raiseEpochs
UPDATE outbox_lane SET epoch = CASE WHEN epoch < outbox_least THEN outbox_least ELSE epoch + 1 END, floor = 0,
takeovers = 0, suspect_id = NULL, suspect_count = 0

-- SweepSql.anyNote
SELECT lane FROM outbox_takeover LIMIT :limit

-- SweepSql.delayedGhosts
SELECT g.lane, g.id, g.due_at, ( SELECT COUNT(*) FROM outbox_takeover t WHERE t.lane = g.lane AND t.id = g.id
AND t.later = 1 AND t.message_id = g.message_id) AS hit FROM ( SELECT o.lane, o.id, o.due_at, o.message_id
FROM outbox_delayed o WHERE o.lane = :lane AND o.due_at >= :at AND (o.due_at > :at OR o.id > :after) AND
o.due_at <= (SELECT clock_timestamp()) ORDER BY o.due_at, o.id LIMIT :limit) g ORDER BY g.due_at, g.id

-- SweepSql.dropNotes
DELETE FROM outbox_takeover WHERE cluster_id = 0 AND batch <= :batch AND taken_at < :before
-- of several clusters
DELETE FROM outbox_takeover WHERE cluster_id = 1 AND batch <= :batch AND taken_at < :before

-- SweepSql.followers
SELECT o.lane, o.id, o.message_id, CASE WHEN o.due_at IS NULL AND o.reason = 'FOLLOWER' AND NOT EXISTS (
SELECT 1 FROM outbox_parked d WHERE d.lane = o.lane AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id <
o.id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic
AND d.msg_key = o.msg_key AND d.id < o.id) THEN 1 ELSE 0 END AS hit FROM ( SELECT p.lane, p.id, p.message_id,
p.topic, p.msg_key, p.due_at, p.reason FROM outbox_parked p WHERE p.lane BETWEEN :low AND :high AND p.id >
:after ORDER BY p.lane, p.id LIMIT :limit) o ORDER BY o.lane, o.id

-- SweepSql.ghosts DELAYED
SELECT g.lane, g.id, g.message_id, ( SELECT COUNT(*) FROM outbox_takeover t WHERE t.lane = g.lane AND t.id =
g.id AND t.later = 1 AND t.message_id = g.message_id) AS hit FROM ( SELECT o.lane, o.id, o.message_id FROM
outbox_delayed o WHERE o.lane BETWEEN :low AND :high AND o.id > :after ORDER BY o.lane, o.id LIMIT :limit) g
ORDER BY g.lane, g.id

-- SweepSql.ghosts PARKED
SELECT g.lane, g.id, g.message_id, ( SELECT COUNT(*) FROM outbox_takeover t WHERE t.lane = g.lane AND t.id =
g.id AND t.later = 0 AND t.message_id = g.message_id) AS hit FROM ( SELECT o.lane, o.id, o.message_id FROM
outbox_parked o WHERE o.lane BETWEEN :low AND :high AND o.id > :after ORDER BY o.lane, o.id LIMIT :limit) g
ORDER BY g.lane, g.id

-- SweepSql.ghosts READY
SELECT g.lane, g.id, g.message_id, ( SELECT COUNT(*) FROM outbox_takeover t WHERE t.lane = g.lane AND t.id =
g.id AND t.later = 0 AND t.message_id = g.message_id) AS hit FROM ( SELECT o.lane, o.id, o.message_id FROM
outbox o WHERE o.lane BETWEEN :low AND :high AND o.id > :after ORDER BY o.lane, o.id LIMIT :limit) g ORDER BY
g.lane, g.id

-- SweepSql.oldNotes
SELECT batch FROM outbox_takeover WHERE cluster_id = 0 AND batch < :batch ORDER BY batch LIMIT :limit
-- of several clusters
SELECT batch FROM outbox_takeover WHERE cluster_id = 1 AND batch < :batch ORDER BY batch LIMIT :limit

-- SweepSql.wake
UPDATE outbox_parked SET due_at = (SELECT clock_timestamp()) WHERE lane = :lane AND id = :id AND due_at IS
NULL

-- ages
SELECT c.lane, ( SELECT CAST(EXTRACT(EPOCH FROM (SELECT clock_timestamp()) - o.created_at) * 1000000 AS
bigint) FROM outbox o WHERE o.lane = c.lane AND o.id > c.after ORDER BY o.id LIMIT 1) AS ready_age, ( SELECT
CAST(EXTRACT(EPOCH FROM (SELECT clock_timestamp()) - p.due_at) * 1000000 AS bigint) FROM outbox_parked p WHERE
p.lane = c.lane AND p.due_at <= (SELECT clock_timestamp()) ORDER BY p.due_at LIMIT 1) AS due_age FROM
unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[])) AS c (lane, after)

-- append.head
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
not_after) VALUES

-- append.tuple
(:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table, :ref_id, :not_after)

-- appendDelayed.head
INSERT INTO outbox_delayed (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, not_after, due_at) VALUES

-- appendDelayed.tuple
(:lane, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table, :ref_id, :not_after,
COALESCE(CAST(:due AS timestamptz), (SELECT clock_timestamp()) + CAST(:delay AS bigint) * INTERVAL '1
microsecond'))

-- archiveParked
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, (SELECT
clock_timestamp()) FROM (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a JOIN
outbox_parked o ON o.lane = :lane AND o.id = ANY(a.ids) AND uuid_send(o.message_id) = substr(a.messages, 16 *
width_bucket(o.id, a.ids) - 15, 16) AND o.cluster_id = 0
-- of several clusters
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, (SELECT
clock_timestamp()) FROM (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a JOIN
outbox_parked o ON o.lane = :lane AND o.id = ANY(a.ids) AND uuid_send(o.message_id) = substr(a.messages, 16 *
width_bucket(o.id, a.ids) - 15, 16) AND o.cluster_id = 1

-- archiveReady
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, (SELECT
clock_timestamp()) FROM (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a JOIN
outbox o ON o.lane = :lane AND o.id = ANY(a.ids) AND uuid_send(o.message_id) = substr(a.messages, 16 *
width_bucket(o.id, a.ids) - 15, 16)

-- atMost
LIMIT :limit

-- beat
INSERT INTO outbox_relay AS r (relay, live_until, started_at, sharing) VALUES (:relay, (SELECT
clock_timestamp()) + CAST(:lifetime AS bigint) * INTERVAL '1 microsecond', (SELECT clock_timestamp()),
:sharing) ON CONFLICT (relay) DO UPDATE SET started_at = CASE WHEN r.live_until > (SELECT clock_timestamp())
THEN r.started_at ELSE EXCLUDED.started_at END, live_until = EXCLUDED.live_until, sharing = EXCLUDED.sharing

-- behind
SELECT o.lane, o.id FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint, message_id
uuid) JOIN outbox o ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id WHERE EXISTS ( SELECT 1
FROM outbox_parked e WHERE e.lane = o.lane AND e.topic = o.topic AND e.msg_key = o.msg_key AND e.id < o.id) OR
EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key
= o.msg_key AND d.id < o.id)

-- boundClock
CAST(:now AS timestamptz)

-- buryParked
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts, a.error, a.history, (SELECT
clock_timestamp()), a.holds FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (lane integer, id bigint,
message_id uuid, reason text, attempts integer, error text, history text, holds smallint) JOIN outbox_parked o
ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id AND o.cluster_id = 0 ORDER BY o.lane, o.id
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 1, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts, a.error, a.history, (SELECT
clock_timestamp()), a.holds FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (lane integer, id bigint,
message_id uuid, reason text, attempts integer, error text, history text, holds smallint) JOIN outbox_parked o
ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id AND o.cluster_id = 1 ORDER BY o.lane, o.id

-- buryReady
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts, a.error, a.history, (SELECT
clock_timestamp()), a.holds FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (lane integer, id bigint,
message_id uuid, reason text, attempts integer, error text, history text, holds smallint) JOIN outbox o ON
o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id ORDER BY o.lane, o.id
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 1, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts, a.error, a.history, (SELECT
clock_timestamp()), a.holds FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (lane integer, id bigint,
message_id uuid, reason text, attempts integer, error text, history text, holds smallint) JOIN outbox o ON
o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id ORDER BY o.lane, o.id

-- cancel
DELETE FROM outbox_delayed WHERE id = :id AND message_id = :message_id

-- claimDelayed
SELECT lane, id, due_at FROM outbox_delayed WHERE lane = 0 AND due_at <= (SELECT clock_timestamp()) ORDER BY
lane, due_at, id LIMIT :limit FOR UPDATE SKIP LOCKED

-- claimDue
DELETE FROM outbox_parked WHERE ctid = ANY(ARRAY( SELECT p.ctid FROM outbox_parked p WHERE p.lane = 0 AND
p.due_at <= (SELECT clock_timestamp()) AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic ||
chr(1)) = 0 ORDER BY p.lane, p.due_at LIMIT :limit FOR UPDATE SKIP LOCKED)) RETURNING lane, id, message_id,
topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin, not_after, created_at, CASE WHEN
not_after <= (SELECT clock_timestamp()) THEN 1 ELSE 0 END AS expired, attempts, first_failed_at, due_at,
reason, last_error, history, CAST(EXTRACT(EPOCH FROM (SELECT clock_timestamp()) - first_failed_at) * 1000000
AS bigint) AS failing

-- claimReady
DELETE FROM outbox WHERE ctid = ANY(ARRAY( SELECT o.ctid FROM outbox o WHERE CASE WHEN o.lane = 0 THEN
length(CAST(:held AS text)) = 2 OR strpos(CAST(:held AS text) COLLATE "C", chr(1) || o.topic || chr(1)) = 0
END ORDER BY o.lane, o.id LIMIT :limit FOR UPDATE SKIP LOCKED)) RETURNING lane, id, message_id, topic,
msg_key, headers, content_type, payload, ref_table, ref_id, origin, not_after, created_at, CASE WHEN not_after
<= (SELECT clock_timestamp()) THEN 1 ELSE 0 END AS expired

-- claimReleasable
SELECT p.lane, p.id FROM outbox_parked p WHERE p.lane = 0 AND p.due_at IS NULL AND p.reason = 'TOPIC' AND
strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0 ORDER BY p.id LIMIT :limit FOR UPDATE
SKIP LOCKED

-- clock
(SELECT clock_timestamp())

-- counts
SELECT 'ready' AS what, topic, COUNT(*) AS messages FROM (SELECT topic FROM outbox LIMIT :bound) r GROUP BY
topic UNION ALL SELECT 'parked', topic, COUNT(*) FROM (SELECT topic FROM outbox_parked LIMIT :bound) p GROUP
BY topic UNION ALL SELECT 'delayed', topic, COUNT(*) FROM (SELECT topic FROM outbox_delayed LIMIT :bound) d
GROUP BY topic UNION ALL SELECT 'dead', topic, COUNT(*) FROM (SELECT topic FROM outbox_dead LIMIT :bound) x
GROUP BY topic
-- of several clusters
SELECT 'ready' AS what, topic, COUNT(*) AS messages FROM (SELECT topic FROM outbox WHERE lane BETWEEN 32 AND
63 LIMIT :bound) r GROUP BY topic UNION ALL SELECT 'parked', topic, COUNT(*) FROM (SELECT topic FROM
outbox_parked WHERE lane BETWEEN 32 AND 63 LIMIT :bound) p GROUP BY topic UNION ALL SELECT 'delayed', topic,
COUNT(*) FROM (SELECT topic FROM outbox_delayed WHERE lane BETWEEN 32 AND 63 LIMIT :bound) d GROUP BY topic
UNION ALL SELECT 'dead', topic, COUNT(*) FROM (SELECT topic FROM outbox_dead WHERE lane BETWEEN 32 AND 63
LIMIT :bound) x GROUP BY topic

-- dead.count
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE (CAST(:msg_key AS text) IS NULL OR msg_key =
CAST(:msg_key AS text)) AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older
AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1
microsecond') AND (CAST(:error AS text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0)
AND (CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint)) LIMIT :bound) counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND (CAST(:msg_key AS text) IS
NULL OR msg_key = CAST(:msg_key AS text)) AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS
text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) *
INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS
text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint)) LIMIT :bound) counted

-- dead.ids
SELECT dead_id, message_id FROM outbox_dead WHERE dead_id > :after AND (CAST(:msg_key AS text) IS NULL OR
msg_key = CAST(:msg_key AS text)) AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND
(CAST(:older AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL
'1 microsecond') AND (CAST(:error AS text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) >
0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND dead_id > :after AND (CAST(:msg_key AS
text) IS NULL OR msg_key = CAST(:msg_key AS text)) AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason
AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS
bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR strpos(lower(last_error),
lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint))
ORDER BY dead_id LIMIT :limit

-- dead.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE dead_id > :after AND (CAST(:msg_key AS text) IS NULL OR msg_key = CAST(:msg_key AS text))
AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR
died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS
text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS
NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND dead_id > :after AND (CAST(:msg_key AS text) IS NULL OR msg_key =
CAST(:msg_key AS text)) AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older
AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1
microsecond') AND (CAST(:error AS text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0)
AND (CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit

-- dead.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE dead_id > :after AND (CAST(:msg_key AS text) IS NULL OR msg_key = CAST(:msg_key AS text)) AND
(CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR
died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS
text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS
NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND dead_id > :after AND (CAST(:msg_key AS text) IS NULL OR msg_key = CAST(:msg_key AS
text)) AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS
NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND
(CAST(:error AS text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to
AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit

-- deadOfKey.count
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE topic = :topic AND msg_key = :msg_key AND
(CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR
died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS
text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS
NULL OR dead_id <= CAST(:up_to AS bigint)) LIMIT :bound) counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND msg_key =
:msg_key AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS
NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND
(CAST(:error AS text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to
AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint)) LIMIT :bound) counted

-- deadOfKey.ids
SELECT dead_id, message_id FROM outbox_dead WHERE topic = :topic AND msg_key = :msg_key AND dead_id > :after
AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR
died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS
text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS
NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND msg_key = :msg_key AND
dead_id > :after AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS
bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond')
AND (CAST(:error AS text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND
(CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit

-- deadOfKey.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE topic = :topic AND msg_key = :msg_key AND dead_id > :after AND (CAST(:reason AS text) IS
NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT
clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR
strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <=
CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND topic = :topic AND msg_key = :msg_key AND dead_id > :after AND
(CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR
died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS
text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS
NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit

-- deadOfKey.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE topic = :topic AND msg_key = :msg_key AND dead_id > :after AND (CAST(:reason AS text) IS NULL OR reason
= CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) -
CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR
strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <=
CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND topic = :topic AND msg_key = :msg_key AND dead_id > :after AND (CAST(:reason AS text)
IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT
clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR
strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <=
CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit

-- deadOfTopic.count
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE topic = :topic AND (CAST(:reason AS text) IS
NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT
clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR
strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <=
CAST(:up_to AS bigint)) LIMIT :bound) counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND
(CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR
died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS
text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS
NULL OR dead_id <= CAST(:up_to AS bigint)) LIMIT :bound) counted

-- deadOfTopic.ids
SELECT dead_id, message_id FROM outbox_dead WHERE topic = :topic AND dead_id > :after AND (CAST(:reason AS
text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT
clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR
strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <=
CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND dead_id > :after AND
(CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR
died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS
text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS
NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit

-- deadOfTopic.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE topic = :topic AND dead_id > :after AND (CAST(:reason AS text) IS NULL OR reason =
CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) -
CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR
strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <=
CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND topic = :topic AND dead_id > :after AND (CAST(:reason AS text) IS NULL OR
reason = CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) -
CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR
strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <=
CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit

-- deadOfTopic.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE topic = :topic AND dead_id > :after AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS
text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) - CAST(:older AS bigint) *
INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR strpos(lower(last_error), lower(CAST(:error AS
text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT
:limit
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND topic = :topic AND dead_id > :after AND (CAST(:reason AS text) IS NULL OR reason =
CAST(:reason AS text)) AND (CAST(:older AS bigint) IS NULL OR died_at <= (SELECT clock_timestamp()) -
CAST(:older AS bigint) * INTERVAL '1 microsecond') AND (CAST(:error AS text) IS NULL OR
strpos(lower(last_error), lower(CAST(:error AS text))) > 0) AND (CAST(:up_to AS bigint) IS NULL OR dead_id <=
CAST(:up_to AS bigint)) ORDER BY dead_id LIMIT :limit

-- deleteAnyParked
DELETE FROM outbox_parked o USING (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages)
a WHERE o.lane = :lane AND o.id = ANY(a.ids) AND uuid_send(o.message_id) = substr(a.messages, 16 *
width_bucket(o.id, a.ids) - 15, 16)

-- deleteDead
DELETE FROM outbox_dead d USING jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid)
WHERE d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = 0
-- of several clusters
DELETE FROM outbox_dead d USING jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid)
WHERE d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = 1

-- deleteDelayed
DELETE FROM outbox_delayed d USING jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint) WHERE d.id = a.id

-- deleteParked
DELETE FROM outbox_parked o USING (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages)
a WHERE o.lane = :lane AND o.id = ANY(a.ids) AND uuid_send(o.message_id) = substr(a.messages, 16 *
width_bucket(o.id, a.ids) - 15, 16) AND o.cluster_id = 0
-- of several clusters
DELETE FROM outbox_parked o USING (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages)
a WHERE o.lane = :lane AND o.id = ANY(a.ids) AND uuid_send(o.message_id) = substr(a.messages, 16 *
width_bucket(o.id, a.ids) - 15, 16) AND o.cluster_id = 1

-- deleteReady
DELETE FROM outbox o USING (SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a
WHERE o.lane = :lane AND o.id = ANY(a.ids) AND uuid_send(o.message_id) = substr(a.messages, 16 *
width_bucket(o.id, a.ids) - 15, 16)

-- dueBodies
SELECT o.lane, o.id, o.payload, o.headers, o.history FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane
integer, id bigint, message_id uuid) JOIN outbox_parked o ON o.lane = a.lane AND o.id = a.id AND o.message_id
= a.message_id AND o.cluster_id = 0
-- of several clusters
SELECT o.lane, o.id, o.payload, o.headers, o.history FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane
integer, id bigint, message_id uuid) JOIN outbox_parked o ON o.lane = a.lane AND o.id = a.id AND o.message_id
= a.message_id AND o.cluster_id = 1

-- dueDelayed
SELECT c.lane, o.id, o.due_at FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane,
bound) CROSS JOIN LATERAL ( SELECT d.id, d.due_at FROM outbox_delayed d WHERE d.lane = c.lane AND d.due_at <=
(SELECT clock_timestamp()) ORDER BY d.due_at, d.id LIMIT c.bound) o

-- dueHeads
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN w.weight <= CAST(:inline AS
bigint) THEN o.headers END AS headers, CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS
payload, CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.history END AS history, w.weight,
COALESCE(octet_length(o.payload), 0) AS bytes, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
CASE WHEN o.not_after <= (SELECT clock_timestamp()) THEN 1 ELSE 0 END AS expired, o.attempts,
CAST(EXTRACT(EPOCH FROM (SELECT clock_timestamp()) - o.first_failed_at) * 1000000 AS bigint) AS failing FROM
unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound) CROSS JOIN LATERAL ( SELECT *
FROM outbox_parked p WHERE p.lane = c.lane AND p.due_at <= (SELECT clock_timestamp()) AND strpos(CAST(:held AS
text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0 AND NOT EXISTS ( SELECT 1 FROM outbox_parked e WHERE
e.lane = p.lane AND e.topic = p.topic AND e.msg_key = p.msg_key AND e.id < p.id) AND NOT EXISTS ( SELECT 1
FROM outbox_dead d WHERE d.lane = p.lane AND d.holds = 1 AND d.topic = p.topic AND d.msg_key = p.msg_key AND
d.id < p.id) ORDER BY p.due_at, p.reason, p.id LIMIT c.bound) o CROSS JOIN LATERAL ( SELECT
COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0) +
COALESCE(octet_length(o.history), 0)) w (weight)

-- fence
WITH mine AS MATERIALIZED ( SELECT l.lane, a.floor, a.keep, a.free, a.due = 1 OR a.keep = 0 AND (l.takeovers >
0 OR l.suspect_id IS NOT NULL) AS changes FROM unnest( CAST(:lanes AS integer[]), CAST(:epochs AS bigint[]),
CAST(:floors AS bigint[]), CAST(:keeps AS integer[]), CAST(:frees AS integer[]), CAST(:dues AS integer[])) AS
a (lane, epoch, floor, keep, free, due) JOIN outbox_lane l ON l.lane = a.lane AND l.epoch = a.epoch WHERE
l.owner = :owner ORDER BY l.lane FOR UPDATE OF l), changed AS ( UPDATE outbox_lane l SET settles = l.settles +
1, floor = m.floor, takeovers = l.takeovers * m.keep, suspect_id = CASE WHEN m.keep = 1 THEN l.suspect_id END,
suspect_count = l.suspect_count * m.keep, lease_until = CASE WHEN m.free = 1 THEN NULL ELSE (SELECT
clock_timestamp()) + CAST(:lease AS bigint) * INTERVAL '1 microsecond' END, owner = CASE WHEN m.free = 1 THEN
NULL ELSE l.owner END FROM mine m WHERE l.lane = m.lane AND m.changes) SELECT lane FROM mine

-- fence.deleting
WITH mine AS MATERIALIZED ( SELECT l.lane, :due = 1 OR l.takeovers > 0 OR l.suspect_id IS NOT NULL AS changes
FROM outbox_lane l WHERE l.lane = :lane AND l.epoch = :epoch AND l.owner = :owner FOR UPDATE), changed AS (
UPDATE outbox_lane l SET settles = l.settles + 1, floor = :floor, takeovers = 0, suspect_id = NULL,
suspect_count = 0, lease_until = (SELECT clock_timestamp()) + CAST(:lease AS bigint) * INTERVAL '1
microsecond' FROM mine m WHERE l.lane = m.lane AND m.changes) DELETE FROM outbox o USING (SELECT CAST(:ids AS
bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a WHERE o.lane = :lane AND o.id = ANY(a.ids) AND
uuid_send(o.message_id) = substr(a.messages, 16 * width_bucket(o.id, a.ids) - 15, 16) AND EXISTS (SELECT 1
FROM mine)

-- findArchived
SELECT lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin,
not_after, created_at, 0 AS expired, completed_at FROM outbox_archive WHERE completed_at >= :from AND
completed_at < :to AND message_id = :message_id

-- findDead
SELECT lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin,
not_after, created_at, 0 AS expired, dead_id, reason, attempts, died_at, last_error FROM outbox_dead WHERE
died_at >= :from AND died_at < :to AND message_id = :message_id
-- of several clusters
SELECT lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin,
not_after, created_at, 0 AS expired, dead_id, reason, attempts, died_at, last_error FROM outbox_dead WHERE
cluster_id = 1 AND died_at >= :from AND died_at < :to AND message_id = :message_id

-- findDelayed
SELECT lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin,
not_after, created_at, 0 AS expired, due_at FROM outbox_delayed WHERE message_id = :message_id

-- findParked
SELECT lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin,
not_after, created_at, 0 AS expired, reason, attempts, due_at, last_error FROM outbox_parked WHERE message_id
= :message_id

-- findReady
SELECT lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin,
not_after, created_at, 0 AS expired FROM outbox WHERE message_id = :message_id

-- followers
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN w.weight <= CAST(:inline AS
bigint) THEN o.headers END AS headers, CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS
payload, CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.history END AS history, w.weight,
COALESCE(octet_length(o.payload), 0) AS bytes, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
CASE WHEN o.not_after <= (SELECT clock_timestamp()) THEN 1 ELSE 0 END AS expired, o.attempts,
CAST(EXTRACT(EPOCH FROM (SELECT clock_timestamp()) - o.first_failed_at) * 1000000 AS bigint) AS failing FROM
jsonb_to_recordset(CAST(:keys AS jsonb)) AS k (lane integer, topic text, msg_key text, id bigint, "limit"
integer) CROSS JOIN LATERAL ( SELECT * FROM outbox_parked p WHERE p.lane = k.lane AND p.topic = k.topic AND
p.msg_key = k.msg_key AND p.id > k.id AND p.id < COALESCE(( SELECT d.id FROM outbox_dead d WHERE d.lane =
k.lane AND d.holds = 1 AND d.topic = k.topic AND d.msg_key = k.msg_key ORDER BY d.id LIMIT 1),
9223372036854775807) ORDER BY p.id LIMIT k."limit") o CROSS JOIN LATERAL ( SELECT
COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0) +
COALESCE(octet_length(o.history), 0)) w (weight) ORDER BY o.lane, o.topic, o.msg_key, o.id

-- forgetRelays
DELETE FROM outbox_relay WHERE live_until < (SELECT clock_timestamp()) - INTERVAL '1 day'

-- freeLanes
SELECT lane, epoch, floor, suspect_id, suspect_count, CASE WHEN owner IS NULL THEN takeovers ELSE takeovers +
1 END AS takeovers FROM outbox_lane WHERE lane BETWEEN :first AND :last AND (owner IS NULL OR lease_until <=
(SELECT clock_timestamp()) OR lease_until > (SELECT clock_timestamp()) + 2 * lease_micros * INTERVAL '1
microsecond') ORDER BY lane LIMIT :limit FOR UPDATE SKIP LOCKED

-- heads
SELECT k.n, h.id, ( SELECT d.id FROM outbox_dead d WHERE d.lane = k.lane AND d.holds = 1 AND d.topic = k.topic
AND d.msg_key = k.msg_key ORDER BY d.id LIMIT 1) AS hold FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS k (n
integer, lane integer, topic text, msg_key text) LEFT JOIN LATERAL ( SELECT p.id FROM outbox_parked p WHERE
p.lane = k.lane AND p.topic = k.topic AND p.msg_key = k.msg_key ORDER BY p.id LIMIT 1) h ON true

-- heldKeys
SELECT p.lane, p.topic, p.msg_key FROM outbox_parked p WHERE p.lane = ANY(CAST(:lanes AS integer[])) AND
p.msg_key IS NOT NULL UNION SELECT d.lane, d.topic, d.msg_key FROM outbox_dead d WHERE d.lane =
ANY(CAST(:lanes AS integer[])) AND d.holds = 1

-- highestArchived
SELECT MAX(n.id) AS highest FROM ( SELECT ( SELECT MAX(a.id) FROM outbox_archive a WHERE a.lane = l.lane AND
a.id >= CAST(:next AS bigint)) AS id FROM outbox_lane l) n

-- highestId
SELECT GREATEST( COALESCE((SELECT MAX(l.floor) FROM outbox_lane l), 0), COALESCE(( SELECT MAX(n.id) FROM (
SELECT ( SELECT MAX(o.id) FROM outbox o WHERE o.lane = l.lane AND o.id >= CAST(:next AS bigint)) AS id FROM
outbox_lane l) n), 0), COALESCE(( SELECT MAX(n.id) FROM ( SELECT ( SELECT MAX(p.id) FROM outbox_parked p WHERE
p.lane = l.lane AND p.id >= CAST(:next AS bigint)) AS id FROM outbox_lane l) n), 0), COALESCE(( SELECT
MAX(d.id) FROM ( SELECT id FROM outbox_dead ORDER BY dead_id DESC LIMIT :most) d), 0)) AS highest

-- holdLane
SELECT lane FROM outbox_lane WHERE lane = :lane AND owner = :owner AND epoch = :epoch FOR UPDATE

-- holders
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (id
bigint, message_id uuid) JOIN outbox_dead d ON d.dead_id = a.id AND d.message_id = a.message_id AND
d.cluster_id = 0 WHERE d.holds = 1
-- of several clusters
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (id
bigint, message_id uuid) JOIN outbox_dead d ON d.dead_id = a.id AND d.message_id = a.message_id AND
d.cluster_id = 1 WHERE d.holds = 1

-- insertKeys.head
INSERT INTO outbox_dedupe (topic, dedupe_key, message_id, created_at, expires_at) VALUES

-- insertKeys.tail
ON CONFLICT (topic, dedupe_key) DO NOTHING

-- insertKeys.tuple
(:topic, :dedupe_key, :message_id, (SELECT clock_timestamp()), (SELECT clock_timestamp()) + CAST(:keep AS
bigint) * INTERVAL '1 microsecond')

-- insertReceipts.head
INSERT INTO outbox_receipt (consumer, message_id, received_at, expires_at) VALUES

-- insertReceipts.tail
ON CONFLICT (consumer, message_id) DO NOTHING

-- insertReceipts.tuple
(:consumer, :message_id, (SELECT clock_timestamp()), (SELECT clock_timestamp()) + CAST(:keep AS bigint) *
INTERVAL '1 microsecond')

-- insertTopic
INSERT INTO outbox_topic (topic, paused, strict, rate_limit, in_flight_cap) VALUES (:topic, :paused, :strict,
:rate_limit, :in_flight_cap)

-- laneStates
SELECT lane, floor, CASE WHEN lease_until > (SELECT clock_timestamp()) THEN owner END AS owner FROM
outbox_lane ORDER BY lane

-- lanesOfOwner
SELECT lane FROM outbox_lane WHERE owner = :owner ORDER BY lane

-- lastDead
SELECT dead_id FROM outbox_dead WHERE dead_id > 0 ORDER BY dead_id DESC LIMIT :limit
-- of several clusters
SELECT dead_id FROM outbox_dead WHERE cluster_id = 1 AND dead_id > 0 ORDER BY dead_id DESC LIMIT :limit

-- layout
SELECT schema_version, lanes, claiming, clusters, cluster_id FROM outbox_meta

-- leaseLane
UPDATE outbox_lane SET takeovers = :takeovers, owner = :owner, epoch = epoch + 1, lease_until = (SELECT
clock_timestamp()) + CAST(:lease AS bigint) * INTERVAL '1 microsecond', lease_micros = CAST(:lease AS bigint)
WHERE lane = :lane

-- leave
DELETE FROM outbox_relay WHERE relay = :relay

-- limits.local
SET TRANSACTION ISOLATION LEVEL READ COMMITTED; SELECT set_config('lock_timeout', :lock_wait, true),
set_config('idle_in_transaction_session_timeout', :idle, true), set_config('statement_timeout', :statement,
true)

-- limits.read
SELECT current_setting('lock_timeout') AS lock_wait, current_setting('idle_in_transaction_session_timeout') AS
idle, current_setting('statement_timeout') AS statement, pg_backend_pid() AS session, COALESCE(( SELECT
CAST(c.relnamespace AS regnamespace) FROM pg_class c WHERE c.oid = to_regclass('outbox_lane')),
CAST(current_schema() AS regnamespace)) AS home

-- limits.write
SELECT set_config('lock_timeout', :lock_wait, false), set_config('idle_in_transaction_session_timeout', :idle,
false), set_config('statement_timeout', :statement, false)

-- liveRelays
SELECT relay, sharing, started_at FROM outbox_relay WHERE live_until > (SELECT clock_timestamp())

-- lockLane
SELECT lane FROM outbox_lane WHERE lane = :lane FOR UPDATE

-- lockTopic
SELECT topic, paused, strict, rate_limit, in_flight_cap FROM outbox_topic WHERE topic = :topic FOR UPDATE

-- look
SELECT c.lane, COALESCE(( SELECT 1 FROM outbox o WHERE o.lane = c.lane AND o.id > c.after LIMIT 1), 0) AS
ready, COALESCE(( SELECT 1 FROM outbox_parked p WHERE p.lane = c.lane AND p.due_at <= (SELECT
clock_timestamp()) AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0 AND NOT EXISTS
( SELECT 1 FROM outbox_parked e WHERE e.lane = p.lane AND e.topic = p.topic AND e.msg_key = p.msg_key AND e.id
< p.id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = p.lane AND d.holds = 1 AND d.topic =
p.topic AND d.msg_key = p.msg_key AND d.id < p.id) LIMIT 1), 0) AS due, COALESCE(( SELECT 1 FROM
outbox_delayed d WHERE d.lane = c.lane AND d.due_at <= (SELECT clock_timestamp()) LIMIT 1), 0) AS later FROM
unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[])) AS c (lane, after) UNION ALL SELECT -1,
CAST(COUNT(*) AS integer), 0, 0 FROM outbox_lane WHERE owner IS NULL OR lease_until <= (SELECT
clock_timestamp()) OR lease_until > (SELECT clock_timestamp()) + 2 * lease_micros * INTERVAL '1 microsecond'

-- newest
SELECT MAX(n.id) AS newest FROM generate_series(0, CAST(:most AS integer)) AS l (lane) CROSS JOIN LATERAL (
SELECT o.id FROM outbox o WHERE o.lane = l.lane AND o.id > :above ORDER BY o.id DESC LIMIT 1) n

-- nextArchived
SELECT MAX(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE completed_at > :after
AND completed_at < :to AND lane BETWEEN :first AND :last AND topic = :topic ORDER BY completed_at LIMIT
:limit) a

-- nextId
SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END AS next FROM outbox_sequence

-- nextId.name
SELECT s.name, CASE WHEN has_sequence_privilege(s.name, 'SELECT') THEN 1 ELSE 0 END AS readable FROM (SELECT
pg_get_serial_sequence('outbox_table', 'outbox_column') AS name) s

-- now
SELECT (SELECT clock_timestamp()) AS now

-- oldArchive
SELECT max(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE completed_at >= :from
AND completed_at <= (SELECT clock_timestamp()) - CAST(:retention AS bigint) * INTERVAL '1 microsecond' ORDER
BY completed_at LIMIT :limit) a
-- of several clusters
SELECT max(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE lane BETWEEN 32 AND
63 AND completed_at >= :from AND completed_at <= (SELECT clock_timestamp()) - CAST(:retention AS bigint) *
INTERVAL '1 microsecond' ORDER BY completed_at LIMIT :limit) a

-- ownLanes
SELECT lane, epoch, floor, suspect_id, suspect_count, takeovers FROM outbox_lane WHERE owner = :owner ORDER BY
lane LIMIT :limit FOR UPDATE SKIP LOCKED

-- parkReady
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) SELECT o.lane, COALESCE(a.parked_as, o.id), 0, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts,
CASE WHEN a.attempts > 0 THEN (SELECT clock_timestamp()) END, (SELECT clock_timestamp()) + a.rest * INTERVAL
'1 microsecond', a.error, a.history FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (lane integer, id
bigint, message_id uuid, parked_as bigint, reason text, attempts integer, rest bigint, error text, history
text) JOIN outbox o ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) SELECT o.lane, COALESCE(a.parked_as, o.id), 1, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts,
CASE WHEN a.attempts > 0 THEN (SELECT clock_timestamp()) END, (SELECT clock_timestamp()) + a.rest * INTERVAL
'1 microsecond', a.error, a.history FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (lane integer, id
bigint, message_id uuid, parked_as bigint, reason text, attempts integer, rest bigint, error text, history
text) JOIN outbox o ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id

-- promote
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM jsonb_to_recordset(CAST(:rows AS
jsonb)) AS a (id bigint) JOIN outbox_delayed d ON d.id = a.id ORDER BY d.due_at, d.id

-- publishAgain
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT lane, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at FROM outbox_archive WHERE completed_at > :after AND
completed_at <= :up_to AND lane BETWEEN :first AND :last AND topic = :topic ORDER BY completed_at, lane, id

-- purgeArchive
DELETE FROM outbox_archive WHERE ctid = ANY(ARRAY( SELECT ctid FROM outbox_archive WHERE completed_at >= :from
AND completed_at <= :up_to ORDER BY completed_at LIMIT :limit)) AND CASE WHEN completed_at >= :from AND
completed_at <= :up_to THEN true END
-- of several clusters
DELETE FROM outbox_archive WHERE ctid = ANY(ARRAY( SELECT ctid FROM outbox_archive WHERE lane BETWEEN 32 AND
63 AND completed_at >= :from AND completed_at <= :up_to ORDER BY completed_at LIMIT :limit)) AND CASE WHEN
lane BETWEEN 32 AND 63 AND completed_at >= :from AND completed_at <= :up_to THEN true END

-- purgeDead
DELETE FROM outbox_dead WHERE ctid = ANY(ARRAY( SELECT ctid FROM outbox_dead WHERE died_at <= (SELECT
clock_timestamp()) - CAST(:retention AS bigint) * INTERVAL '1 microsecond' AND holds = 0 ORDER BY died_at
LIMIT :limit)) AND CASE WHEN died_at <= (SELECT clock_timestamp()) - CAST(:retention AS bigint) * INTERVAL '1
microsecond' AND holds = 0 THEN true END
-- of several clusters
DELETE FROM outbox_dead WHERE ctid = ANY(ARRAY( SELECT ctid FROM outbox_dead WHERE cluster_id = 1 AND died_at
<= (SELECT clock_timestamp()) - CAST(:retention AS bigint) * INTERVAL '1 microsecond' AND holds = 0 ORDER BY
died_at LIMIT :limit)) AND CASE WHEN cluster_id = 1 AND died_at <= (SELECT clock_timestamp()) -
CAST(:retention AS bigint) * INTERVAL '1 microsecond' AND holds = 0 THEN true END

-- purgeKeys
DELETE FROM outbox_dedupe WHERE ctid = ANY(ARRAY( SELECT d.ctid FROM outbox_dedupe d WHERE d.expires_at <=
(SELECT clock_timestamp()) ORDER BY d.expires_at LIMIT :limit FOR UPDATE SKIP LOCKED)) AND CASE WHEN
expires_at <= (SELECT clock_timestamp()) THEN true END

-- purgeReceipts
DELETE FROM outbox_receipt WHERE ctid = ANY(ARRAY( SELECT r.ctid FROM outbox_receipt r WHERE r.expires_at <=
(SELECT clock_timestamp()) ORDER BY r.expires_at LIMIT :limit FOR UPDATE SKIP LOCKED)) AND CASE WHEN
expires_at <= (SELECT clock_timestamp()) THEN true END

-- putArchive
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) VALUES (:lane, :id, :message_id, :topic, :msg_key,
:headers, :content_type, :payload, :ref_table, :ref_id, :origin, :not_after, :created_at, (SELECT
clock_timestamp()))

-- putDead
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
VALUES (0, :lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table, :ref_id,
:origin, :not_after, :created_at, :reason, :attempts, :error, :history, (SELECT clock_timestamp()), :holds)
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
VALUES (1, :lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table, :ref_id,
:origin, :not_after, :created_at, :reason, :attempts, :error, :history, (SELECT clock_timestamp()), :holds)

-- putParked
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) VALUES (:lane, :id, 0, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table,
:ref_id, :origin, :not_after, :created_at, :reason, :attempts, COALESCE(CAST(:first_failed_at AS timestamptz),
CASE WHEN :attempts > 0 THEN (SELECT clock_timestamp()) END), COALESCE(CAST(:due AS timestamptz), (SELECT
clock_timestamp()) + CAST(:rest AS bigint) * INTERVAL '1 microsecond'), :error, :history)
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) VALUES (:lane, :id, 1, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table,
:ref_id, :origin, :not_after, :created_at, :reason, :attempts, COALESCE(CAST(:first_failed_at AS timestamptz),
CASE WHEN :attempts > 0 THEN (SELECT clock_timestamp()) END), COALESCE(CAST(:due AS timestamptz), (SELECT
clock_timestamp()) + CAST(:rest AS bigint) * INTERVAL '1 microsecond'), :error, :history)

-- putReady
INSERT INTO outbox (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) VALUES (:lane, :id, :message_id, :topic, :msg_key, :headers, :content_type,
:payload, :ref_table, :ref_id, :origin, :not_after, :created_at)

-- raiseNextId
SELECT setval('outbox_sequence', GREATEST(outbox_next, last_value + 1), false) FROM outbox_sequence

-- ready
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN w.weight <= CAST(:inline AS
bigint) THEN o.headers END AS headers, CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS
payload, CASE WHEN w.weight > CAST(:inline AS bigint) THEN w.weight END AS weight, CASE WHEN w.weight >
CAST(:inline AS bigint) THEN octet_length(o.payload) END AS bytes, o.ref_table, o.ref_id, o.not_after, CASE
WHEN o.not_after <= (SELECT clock_timestamp()) THEN 1 END AS expired FROM unnest(CAST(:lanes AS integer[]),
CAST(:afters AS bigint[]), CAST(:limits AS integer[])) AS c (lane, after, bound) CROSS JOIN LATERAL ( SELECT *
FROM outbox r WHERE r.lane = c.lane AND r.id > c.after ORDER BY r.id LIMIT c.bound) o CROSS JOIN LATERAL (
SELECT COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0)) w (weight)
-- of several clusters
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN w.weight <= CAST(:inline AS
bigint) THEN o.headers END AS headers, CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS
payload, CASE WHEN w.weight > CAST(:inline AS bigint) THEN w.weight END AS weight, CASE WHEN w.weight >
CAST(:inline AS bigint) THEN octet_length(o.payload) END AS bytes, o.ref_table, o.ref_id, o.origin,
o.not_after, CASE WHEN o.not_after <= (SELECT clock_timestamp()) THEN 1 END AS expired FROM unnest(CAST(:lanes
AS integer[]), CAST(:afters AS bigint[]), CAST(:limits AS integer[])) AS c (lane, after, bound) CROSS JOIN
LATERAL ( SELECT * FROM outbox r WHERE r.lane = c.lane AND r.id > c.after ORDER BY r.id LIMIT c.bound) o CROSS
JOIN LATERAL ( SELECT COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0)) w (weight)

-- readyBodies
SELECT o.lane, o.id, o.payload, o.headers FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id
bigint, message_id uuid) JOIN outbox o ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id

-- readyPast
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN w.weight <= CAST(:inline AS
bigint) THEN o.headers END AS headers, CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS
payload, CASE WHEN w.weight > CAST(:inline AS bigint) THEN w.weight END AS weight, CASE WHEN w.weight >
CAST(:inline AS bigint) THEN octet_length(o.payload) END AS bytes, o.ref_table, o.ref_id, o.not_after, CASE
WHEN o.not_after <= (SELECT clock_timestamp()) THEN 1 END AS expired FROM unnest(CAST(:lanes AS integer[]),
CAST(:afters AS bigint[]), CAST(:limits AS integer[])) AS c (lane, after, bound) CROSS JOIN LATERAL ( SELECT *
FROM outbox r WHERE r.lane = c.lane AND r.id > c.after AND r.id <= c.after + CAST(:reach AS bigint) AND
strpos(CAST(:held AS text) COLLATE "C", chr(1) || r.topic || chr(1)) = 0 ORDER BY r.id LIMIT c.bound) o CROSS
JOIN LATERAL ( SELECT COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0)) w (weight)
-- of several clusters
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN w.weight <= CAST(:inline AS
bigint) THEN o.headers END AS headers, CASE WHEN w.weight <= CAST(:inline AS bigint) THEN o.payload END AS
payload, CASE WHEN w.weight > CAST(:inline AS bigint) THEN w.weight END AS weight, CASE WHEN w.weight >
CAST(:inline AS bigint) THEN octet_length(o.payload) END AS bytes, o.ref_table, o.ref_id, o.origin,
o.not_after, CASE WHEN o.not_after <= (SELECT clock_timestamp()) THEN 1 END AS expired FROM unnest(CAST(:lanes
AS integer[]), CAST(:afters AS bigint[]), CAST(:limits AS integer[])) AS c (lane, after, bound) CROSS JOIN
LATERAL ( SELECT * FROM outbox r WHERE r.lane = c.lane AND r.id > c.after AND r.id <= c.after + CAST(:reach AS
bigint) AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || r.topic || chr(1)) = 0 ORDER BY r.id LIMIT
c.bound) o CROSS JOIN LATERAL ( SELECT COALESCE(octet_length(o.payload), 0) +
COALESCE(octet_length(o.headers), 0)) w (weight)

-- releasable
SELECT o.lane, o.id FROM unnest(CAST(:lanes AS integer[]), CAST(:limits AS integer[])) AS c (lane, bound)
CROSS JOIN LATERAL ( SELECT p.lane, p.id FROM outbox_parked p WHERE p.lane = c.lane AND p.due_at IS NULL AND
p.reason = 'TOPIC' AND strpos(CAST(:held AS text) COLLATE "C", chr(1) || p.topic || chr(1)) = 0 ORDER BY p.id
LIMIT c.bound) o

-- replay
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM jsonb_to_recordset(CAST(:rows AS
jsonb)) AS a (id bigint, message_id uuid) JOIN outbox_dead d ON d.dead_id = a.id AND d.message_id =
a.message_id AND d.cluster_id = 0 ORDER BY d.dead_id
-- of several clusters
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM jsonb_to_recordset(CAST(:rows AS
jsonb)) AS a (id bigint, message_id uuid) JOIN outbox_dead d ON d.dead_id = a.id AND d.message_id =
a.message_id AND d.cluster_id = 1 ORDER BY d.dead_id

-- replayHolders
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, due_at, last_error, history) SELECT
d.lane, d.id, 0, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload, d.ref_table,
d.ref_id, d.origin, d.not_after, d.created_at, 'FAILED', 0, (SELECT clock_timestamp()), d.last_error,
d.history FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid) JOIN outbox_dead d
ON d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = 0 WHERE d.holds = 1
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, due_at, last_error, history) SELECT
d.lane, d.id, 1, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload, d.ref_table,
d.ref_id, d.origin, d.not_after, d.created_at, 'FAILED', 0, (SELECT clock_timestamp()), d.last_error,
d.history FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (id bigint, message_id uuid) JOIN outbox_dead d
ON d.dead_id = a.id AND d.message_id = a.message_id AND d.cluster_id = 1 WHERE d.holds = 1

-- reschedule
UPDATE outbox_parked p SET reason = a.reason, attempts = a.attempts, first_failed_at =
COALESCE(p.first_failed_at, CASE WHEN a.attempts > 0 THEN (SELECT clock_timestamp()) END), due_at = (SELECT
clock_timestamp()) + a.rest * INTERVAL '1 microsecond', last_error = COALESCE(a.error, p.last_error), history
= a.history FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (lane integer, id bigint, message_id uuid,
reason text, attempts integer, rest bigint, error text, history text) WHERE p.lane = a.lane AND p.id = a.id
AND p.message_id = a.message_id AND p.cluster_id = 0
-- of several clusters
UPDATE outbox_parked p SET reason = a.reason, attempts = a.attempts, first_failed_at =
COALESCE(p.first_failed_at, CASE WHEN a.attempts > 0 THEN (SELECT clock_timestamp()) END), due_at = (SELECT
clock_timestamp()) + a.rest * INTERVAL '1 microsecond', last_error = COALESCE(a.error, p.last_error), history
= a.history FROM jsonb_to_recordset(CAST(:rows AS jsonb)) AS a (lane integer, id bigint, message_id uuid,
reason text, attempts integer, rest bigint, error text, history text) WHERE p.lane = a.lane AND p.id = a.id
AND p.message_id = a.message_id AND p.cluster_id = 1

-- restoreSuspect
UPDATE outbox_lane SET settles = settles + 1, suspect_id = CASE WHEN :deaths > 0 THEN suspect_id END,
suspect_count = :deaths WHERE lane = :lane AND owner = :owner AND epoch = :epoch AND suspect_id = :id

-- retakeKey
UPDATE outbox_dedupe SET message_id = :message_id, created_at = (SELECT clock_timestamp()), expires_at =
(SELECT clock_timestamp()) + CAST(:keep AS bigint) * INTERVAL '1 microsecond' WHERE topic = :topic AND
dedupe_key = :dedupe_key AND expires_at <= (SELECT clock_timestamp())

-- retrying
SELECT o.message_id, o.topic, o.msg_key, o.attempts, o.due_at, o.last_error FROM unnest(CAST(:lanes AS
integer[]), CAST(:limits AS integer[])) AS c (lane, bound) CROSS JOIN LATERAL ( SELECT * FROM outbox_parked p
WHERE p.lane = c.lane AND p.due_at IS NOT NULL AND p.attempts > 0 AND (CAST(:only AS text) IS NULL OR p.topic
= CAST(:only AS text)) ORDER BY p.due_at LIMIT c.bound) o

-- suspect
UPDATE outbox_lane SET settles = settles + 1, suspect_count = CASE WHEN EXISTS ( SELECT 1 FROM outbox o WHERE
o.lane = :lane AND o.id = :id AND o.message_id = :message_id) OR EXISTS ( SELECT 1 FROM outbox_parked p WHERE
p.lane = :lane AND p.id = :id AND p.message_id = :message_id) THEN CASE WHEN suspect_id = :id THEN
suspect_count + 1 ELSE 1 END ELSE suspect_count END, suspect_id = CASE WHEN EXISTS ( SELECT 1 FROM outbox o
WHERE o.lane = :lane AND o.id = :id AND o.message_id = :message_id) OR EXISTS ( SELECT 1 FROM outbox_parked p
WHERE p.lane = :lane AND p.id = :id AND p.message_id = :message_id) THEN :id ELSE suspect_id END WHERE lane =
:lane AND owner = :owner AND epoch = :epoch

-- takenArchive
SELECT t.lane, t.id FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint) JOIN
outbox_archive t ON t.lane = a.lane AND t.id = a.id

-- takenKey
SELECT message_id, CASE WHEN expires_at <= (SELECT clock_timestamp()) THEN 1 ELSE 0 END AS expired FROM
outbox_dedupe WHERE topic = :topic AND dedupe_key = :dedupe_key

-- takenParked
SELECT t.lane, t.id FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint) JOIN
outbox_parked t ON t.lane = a.lane AND t.id = a.id AND t.cluster_id = 0
-- of several clusters
SELECT t.lane, t.id FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint) JOIN
outbox_parked t ON t.lane = a.lane AND t.id = a.id AND t.cluster_id = 1

-- topics
SELECT topic, paused, strict, rate_limit, in_flight_cap FROM outbox_topic

-- updateTopic
UPDATE outbox_topic SET paused = :paused, strict = :strict, rate_limit = :rate_limit, in_flight_cap =
:in_flight_cap WHERE topic = :topic

-- wakeHeads
UPDATE outbox_parked SET due_at = (SELECT clock_timestamp()) WHERE lane = :lane AND id = ANY(CAST(:ids AS
bigint[])) AND cluster_id = 0 AND due_at IS NULL
-- of several clusters
UPDATE outbox_parked SET due_at = (SELECT clock_timestamp()) WHERE lane = :lane AND id = ANY(CAST(:ids AS
bigint[])) AND cluster_id = 1 AND due_at IS NULL

-- writers
WITH locks AS MATERIALIZED ( SELECT locktype, database, relation, mode, granted, pid, virtualtransaction,
transactionid FROM pg_locks), holders AS ( SELECT DISTINCT virtualtransaction FROM locks WHERE locktype =
'relation' AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND relation =
to_regclass('outbox') AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock',
'AccessExclusiveLock') AND granted AND pid IS DISTINCT FROM pg_backend_pid()), numbers AS ( SELECT
h.virtualtransaction, CAST(l.transactionid AS text) AS number FROM holders h LEFT JOIN locks l ON
l.virtualtransaction = h.virtualtransaction AND l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock')
SELECT virtualtransaction AS name, number FROM numbers UNION ALL SELECT 'xid ' || x.number, n.number FROM
numbers x JOIN numbers n ON n.virtualtransaction = x.virtualtransaction WHERE x.number IS NOT NULL AND
current_setting('max_prepared_transactions') <> '0'

-- writers.running
SELECT CAST(r.number % 4294967296 AS text) AS number FROM txid_snapshot_xip(txid_current_snapshot()) AS r
(number)
