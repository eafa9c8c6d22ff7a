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
SELECT MAX(o.id + 0) AS id FROM outbox_delayed o WHERE o.lane = :lane AND o.due_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP)

-- ClusterSql.last PARKED
SELECT MAX(o.id) AS id FROM outbox_parked o WHERE o.lane = :lane

-- ClusterSql.last READY
SELECT MAX(o.id) AS id FROM outbox o WHERE o.lane = :lane

-- ClusterSql.lastBatch
SELECT MAX(batch) AS batch FROM outbox_takeover WHERE cluster_id = 0
-- of several clusters
SELECT MAX(batch) AS batch FROM outbox_takeover WHERE cluster_id = 1

-- ClusterSql.lockLanes
SELECT lane, CASE WHEN owner IS NOT NULL AND lease_until > SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1 ELSE 0 END AS
leased FROM outbox_lane ORDER BY lane FOR UPDATE

-- ClusterSql.note DELAYED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_delayed o WHERE o.lane
= :lane AND o.id <= :upTo AND o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) AND NOT EXISTS ( SELECT 1 FROM
outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND
NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND
d.msg_key = o.msg_key ) ORDER BY o.due_at, o.id FETCH FIRST :limit ROWS ONLY
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_delayed o WHERE o.lane
= :lane AND o.id <= :upTo AND o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) AND NOT EXISTS ( SELECT 1 FROM
outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND
NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND
d.msg_key = o.msg_key ) ORDER BY o.due_at, o.id FETCH FIRST :limit ROWS ONLY

-- ClusterSql.note PARKED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_parked o WHERE o.lane
= :lane AND o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id =
o.id AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE
d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.id
FETCH FIRST :limit ROWS ONLY
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_parked o WHERE o.lane
= :lane AND o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id =
o.id AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE
d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.id
FETCH FIRST :limit ROWS ONLY

-- ClusterSql.note READY
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox o WHERE o.lane = :lane
AND o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.id FETCH
FIRST :limit ROWS ONLY
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox o WHERE o.lane = :lane
AND o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.id FETCH
FIRST :limit ROWS ONLY

-- ClusterSql.noteOne DELAYED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_delayed o WHERE o.lane
= :lane AND o.id = :id AND o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) AND NOT EXISTS ( SELECT 1 FROM
outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND
NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND
d.msg_key = o.msg_key )
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_delayed o WHERE o.lane
= :lane AND o.id = :id AND o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) AND NOT EXISTS ( SELECT 1 FROM
outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND
NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND
d.msg_key = o.msg_key )

-- ClusterSql.noteOne PARKED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_parked o WHERE o.lane
= :lane AND o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id
AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id)
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_parked o WHERE o.lane
= :lane AND o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id
AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id)

-- ClusterSql.noteOne READY
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox o WHERE o.lane = :lane
AND o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id)
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox o WHERE o.lane = :lane
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
SELECT o.id FROM outbox_delayed o WHERE o.lane = :lane AND o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) AND NOT
EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND
t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds =
1 AND d.topic = o.topic AND d.msg_key = o.msg_key ) ORDER BY o.due_at, o.id FETCH FIRST :limit ROWS ONLY

-- ClusterSql.toTake PARKED
SELECT o.id FROM outbox_parked o WHERE o.lane = :lane AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE
t.lane = o.lane AND t.id = o.id AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1
FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND
d.id < o.id) ORDER BY o.id FETCH FIRST :limit ROWS ONLY

-- ClusterSql.toTake READY
SELECT o.id FROM outbox o WHERE o.lane = :lane AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane =
o.lane AND t.id = o.id AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM
outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key = o.msg_key AND d.id <
o.id) ORDER BY o.id FETCH FIRST :limit ROWS ONLY

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
SELECT lane FROM outbox_takeover FETCH FIRST :limit ROWS ONLY

-- SweepSql.delayedGhosts
SELECT g.lane, g.id, g.due_at, ( SELECT COUNT(*) FROM outbox_takeover t WHERE t.lane = g.lane AND t.id = g.id
AND t.later = 1 AND t.message_id = g.message_id) AS hit FROM ( SELECT o.lane, o.id, o.due_at, o.message_id
FROM outbox_delayed o WHERE o.lane = :lane AND o.due_at >= :at AND (o.due_at > :at OR o.id > :after) AND
o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) ORDER BY o.due_at, o.id FETCH FIRST :limit ROWS ONLY) g ORDER BY
g.due_at, g.id

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
:after ORDER BY p.lane, p.id FETCH FIRST :limit ROWS ONLY) o ORDER BY o.lane, o.id

-- SweepSql.ghosts DELAYED
SELECT g.lane, g.id, g.message_id, ( SELECT COUNT(*) FROM outbox_takeover t WHERE t.lane = g.lane AND t.id =
g.id AND t.later = 1 AND t.message_id = g.message_id) AS hit FROM ( SELECT o.lane, o.id, o.message_id FROM
outbox_delayed o WHERE o.lane BETWEEN :low AND :high AND o.id > :after ORDER BY o.lane, o.id FETCH FIRST
:limit ROWS ONLY) g ORDER BY g.lane, g.id

-- SweepSql.ghosts PARKED
SELECT g.lane, g.id, g.message_id, ( SELECT COUNT(*) FROM outbox_takeover t WHERE t.lane = g.lane AND t.id =
g.id AND t.later = 0 AND t.message_id = g.message_id) AS hit FROM ( SELECT o.lane, o.id, o.message_id FROM
outbox_parked o WHERE o.lane BETWEEN :low AND :high AND o.id > :after ORDER BY o.lane, o.id FETCH FIRST :limit
ROWS ONLY) g ORDER BY g.lane, g.id

-- SweepSql.ghosts READY
SELECT g.lane, g.id, g.message_id, ( SELECT COUNT(*) FROM outbox_takeover t WHERE t.lane = g.lane AND t.id =
g.id AND t.later = 0 AND t.message_id = g.message_id) AS hit FROM ( SELECT o.lane, o.id, o.message_id FROM
outbox o WHERE o.lane BETWEEN :low AND :high AND o.id > :after ORDER BY o.lane, o.id FETCH FIRST :limit ROWS
ONLY) g ORDER BY g.lane, g.id

-- SweepSql.oldNotes
SELECT batch FROM outbox_takeover WHERE cluster_id = 0 AND batch < :batch ORDER BY batch FETCH FIRST :limit
ROWS ONLY
-- of several clusters
SELECT batch FROM outbox_takeover WHERE cluster_id = 1 AND batch < :batch ORDER BY batch FETCH FIRST :limit
ROWS ONLY

-- SweepSql.wake
UPDATE outbox_parked SET due_at = SYS_EXTRACT_UTC(SYSTIMESTAMP) WHERE lane = :lane AND id = :id AND due_at IS
NULL

-- ages.arm
SELECT CAST(:lane AS NUMBER(10)) AS lane, ( SELECT /*+ INDEX(o (lane id)) */ EXTRACT(DAY FROM
SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.created_at) * 86400000000 + EXTRACT(HOUR FROM SYS_EXTRACT_UTC(SYSTIMESTAMP)
- o.created_at) * 3600000000 + EXTRACT(MINUTE FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.created_at) * 60000000 +
EXTRACT(SECOND FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.created_at) * 1000000 FROM outbox o WHERE o.lane = :lane
AND o.id > :after ORDER BY o.id FETCH FIRST 1 ROW ONLY) AS ready_age, ( SELECT /*+ INDEX(o (lane due_at reason
id topic)) */ EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.due_at) * 86400000000 + EXTRACT(HOUR FROM
SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.due_at) * 3600000000 + EXTRACT(MINUTE FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) -
o.due_at) * 60000000 + EXTRACT(SECOND FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.due_at) * 1000000 FROM
outbox_parked o WHERE o.lane = :lane AND o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) ORDER BY o.due_at FETCH
FIRST 1 ROW ONLY) AS due_age FROM DUAL

-- ages.last


-- append
INSERT INTO outbox (lane, message_id, topic, msg_key, content_type, ref_table, ref_id, not_after, payload,
headers) VALUES (:lane, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :not_after,
:payload, :headers)

-- appendDelayed
INSERT INTO outbox_delayed (lane, message_id, topic, msg_key, content_type, ref_table, ref_id, not_after,
due_at, payload, headers) VALUES (:lane, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id,
:not_after, COALESCE(CAST(:due AS TIMESTAMP(6)), SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:delay *
0.000001, 'SECOND')), :payload, :headers)

-- archiveParked
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_parked o WHERE o.lane = :lane AND o.id = :id AND o.message_id =
:message_id AND o.cluster_id = 0
-- of several clusters
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox_parked o WHERE o.lane = :lane AND o.id = :id AND o.message_id =
:message_id AND o.cluster_id = 1

-- archiveReady
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
SYS_EXTRACT_UTC(SYSTIMESTAMP) FROM outbox o WHERE o.lane = :lane AND o.id = :id AND o.message_id = :message_id

-- atMost
FETCH FIRST :limit ROWS ONLY

-- beat
MERGE INTO outbox_relay r USING (SELECT CAST(:relay AS VARCHAR2(255 CHAR)) AS relay FROM DUAL) b ON (r.relay =
b.relay) WHEN MATCHED THEN UPDATE SET started_at = CASE WHEN live_until > SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN
started_at ELSE SYS_EXTRACT_UTC(SYSTIMESTAMP) END, live_until = SYS_EXTRACT_UTC(SYSTIMESTAMP) +
NUMTODSINTERVAL(:lifetime * 0.000001, 'SECOND'), sharing = :sharing WHEN NOT MATCHED THEN INSERT (relay,
live_until, started_at, sharing) VALUES (b.relay, SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:lifetime *
0.000001, 'SECOND'), SYS_EXTRACT_UTC(SYSTIMESTAMP), :sharing)

-- behind.arm
SELECT o.lane, o.id FROM outbox o WHERE o.lane = :lane AND o.id = :id AND o.message_id = :message_id AND
(EXISTS ( SELECT 1 FROM outbox_parked e WHERE e.lane = o.lane AND e.topic = o.topic AND e.msg_key = o.msg_key
AND e.id < o.id) OR EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic =
o.topic AND d.msg_key = o.msg_key AND d.id < o.id))

-- boundClock
CAST(:now AS TIMESTAMP(6))

-- buryParked
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, :reason, :attempts, :error, :history,
SYS_EXTRACT_UTC(SYSTIMESTAMP), :holds FROM outbox_parked o WHERE o.lane = :lane AND o.id = :id AND
o.message_id = :message_id AND o.cluster_id = 0
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 1, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, :reason, :attempts, :error, :history,
SYS_EXTRACT_UTC(SYSTIMESTAMP), :holds FROM outbox_parked o WHERE o.lane = :lane AND o.id = :id AND
o.message_id = :message_id AND o.cluster_id = 1

-- buryReady
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, :reason, :attempts, :error, :history,
SYS_EXTRACT_UTC(SYSTIMESTAMP), :holds FROM outbox o WHERE o.lane = :lane AND o.id = :id AND o.message_id =
:message_id
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 1, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, :reason, :attempts, :error, :history,
SYS_EXTRACT_UTC(SYSTIMESTAMP), :holds FROM outbox o WHERE o.lane = :lane AND o.id = :id AND o.message_id =
:message_id

-- cancel
DELETE FROM outbox_delayed WHERE id = :id AND message_id = :message_id

-- claimDelayed
SELECT /*+ INDEX(d (lane due_at id)) */ lane, id, due_at FROM outbox_delayed d WHERE lane = 0 AND due_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) FOR UPDATE SKIP LOCKED

-- claimDue.delete
DELETE FROM outbox_parked WHERE lane = :lane AND id = :id AND message_id = :message_id AND cluster_id = 0
-- of several clusters
DELETE FROM outbox_parked WHERE lane = :lane AND id = :id AND message_id = :message_id AND cluster_id = 1

-- claimDue.lock
SELECT /*+ INDEX(o (lane due_at reason id topic)) */ o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, CASE WHEN
o.not_after <= SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1 ELSE 0 END AS expired, o.attempts, o.first_failed_at,
o.due_at, o.reason, o.last_error, o.history, EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) -
o.first_failed_at) * 86400000000 + EXTRACT(HOUR FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) *
3600000000 + EXTRACT(MINUTE FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) * 60000000 +
EXTRACT(SECOND FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) * 1000000 AS failing FROM outbox_parked
o WHERE o.lane = 0 AND o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) AND INSTR(:held, CHR(1) || o.topic || CHR(1))
= 0 FOR UPDATE SKIP LOCKED

-- claimReady.delete
DELETE FROM outbox WHERE lane = :lane AND id = :id AND message_id = :message_id

-- claimReady.lock
SELECT /*+ INDEX(o (lane id)) */ o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type,
o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, CASE WHEN o.not_after <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1 ELSE 0 END AS expired FROM outbox o WHERE o.lane = 0 AND INSTR(:held,
CHR(1) || o.topic || CHR(1)) = 0 FOR UPDATE SKIP LOCKED

-- claimReleasable
SELECT /*+ INDEX(o (lane due_at reason id topic)) */ o.lane, o.id FROM outbox_parked o WHERE o.lane = 0 AND
o.due_at IS NULL AND o.reason = 'TOPIC' AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0 FOR UPDATE SKIP
LOCKED

-- clock
SYS_EXTRACT_UTC(SYSTIMESTAMP)

-- counts
SELECT 'ready' AS what, topic, COUNT(*) AS messages FROM (SELECT topic FROM outbox FETCH FIRST :bound ROWS
ONLY) r GROUP BY topic UNION ALL SELECT 'parked', topic, COUNT(*) FROM (SELECT topic FROM outbox_parked FETCH
FIRST :bound ROWS ONLY) p GROUP BY topic UNION ALL SELECT 'delayed', topic, COUNT(*) FROM (SELECT topic FROM
outbox_delayed FETCH FIRST :bound ROWS ONLY) d GROUP BY topic UNION ALL SELECT 'dead', topic, COUNT(*) FROM
(SELECT topic FROM outbox_dead FETCH FIRST :bound ROWS ONLY) x GROUP BY topic
-- of several clusters
SELECT 'ready' AS what, topic, COUNT(*) AS messages FROM (SELECT topic FROM outbox WHERE lane BETWEEN 32 AND
63 FETCH FIRST :bound ROWS ONLY) r GROUP BY topic UNION ALL SELECT 'parked', topic, COUNT(*) FROM (SELECT
topic FROM outbox_parked WHERE lane BETWEEN 32 AND 63 FETCH FIRST :bound ROWS ONLY) p GROUP BY topic UNION ALL
SELECT 'delayed', topic, COUNT(*) FROM (SELECT topic FROM outbox_delayed WHERE lane BETWEEN 32 AND 63 FETCH
FIRST :bound ROWS ONLY) d GROUP BY topic UNION ALL SELECT 'dead', topic, COUNT(*) FROM (SELECT topic FROM
outbox_dead WHERE lane BETWEEN 32 AND 63 FETCH FIRST :bound ROWS ONLY) x GROUP BY topic

-- dead.count
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE (CAST(:msg_key AS VARCHAR2(255 CHAR)) IS NULL OR
msg_key = CAST(:msg_key AS VARCHAR2(255 CHAR))) AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason =
CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) FETCH FIRST :bound ROWS ONLY)
counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND (CAST(:msg_key AS
VARCHAR2(255 CHAR)) IS NULL OR msg_key = CAST(:msg_key AS VARCHAR2(255 CHAR))) AND (CAST(:reason AS
VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19))
IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND
(CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000
CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) FETCH FIRST
:bound ROWS ONLY) counted

-- dead.ids
SELECT dead_id, message_id FROM outbox_dead WHERE dead_id > :after AND (CAST(:msg_key AS VARCHAR2(255 CHAR))
IS NULL OR msg_key = CAST(:msg_key AS VARCHAR2(255 CHAR))) AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR
reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND dead_id > :after AND (CAST(:msg_key AS
VARCHAR2(255 CHAR)) IS NULL OR msg_key = CAST(:msg_key AS VARCHAR2(255 CHAR))) AND (CAST(:reason AS
VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19))
IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND
(CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000
CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY
dead_id FETCH FIRST :limit ROWS ONLY

-- dead.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE dead_id > :after AND (CAST(:msg_key AS VARCHAR2(255 CHAR)) IS NULL OR msg_key =
CAST(:msg_key AS VARCHAR2(255 CHAR))) AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason =
CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND dead_id > :after AND (CAST(:msg_key AS VARCHAR2(255 CHAR)) IS NULL OR
msg_key = CAST(:msg_key AS VARCHAR2(255 CHAR))) AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason =
CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY

-- dead.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE dead_id > :after AND (CAST(:msg_key AS VARCHAR2(255 CHAR)) IS NULL OR msg_key = CAST(:msg_key AS
VARCHAR2(255 CHAR))) AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255
CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) -
NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR
INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS
NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST :limit ROWS ONLY
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND dead_id > :after AND (CAST(:msg_key AS VARCHAR2(255 CHAR)) IS NULL OR msg_key =
CAST(:msg_key AS VARCHAR2(255 CHAR))) AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason =
CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY

-- deadOfKey.count
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE topic = :topic AND msg_key = :msg_key AND
(CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older
AS NUMBER(19)) IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001,
'SECOND')) AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS
VARCHAR2(1000 CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19)))
FETCH FIRST :bound ROWS ONLY) counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND msg_key =
:msg_key AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND
(CAST(:older AS NUMBER(19)) IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older *
0.000001, 'SECOND')) AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error),
LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <=
CAST(:up_to AS NUMBER(19))) FETCH FIRST :bound ROWS ONLY) counted

-- deadOfKey.ids
SELECT dead_id, message_id FROM outbox_dead WHERE topic = :topic AND msg_key = :msg_key AND dead_id > :after
AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND
(CAST(:older AS NUMBER(19)) IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older *
0.000001, 'SECOND')) AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error),
LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <=
CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST :limit ROWS ONLY
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND msg_key = :msg_key AND
dead_id > :after AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255
CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) -
NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR
INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS
NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST :limit ROWS ONLY

-- deadOfKey.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE topic = :topic AND msg_key = :msg_key AND dead_id > :after AND (CAST(:reason AS VARCHAR2(255
CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR
died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND topic = :topic AND msg_key = :msg_key AND dead_id > :after AND
(CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older
AS NUMBER(19)) IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001,
'SECOND')) AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS
VARCHAR2(1000 CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19)))
ORDER BY dead_id FETCH FIRST :limit ROWS ONLY

-- deadOfKey.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE topic = :topic AND msg_key = :msg_key AND dead_id > :after AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS
NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND topic = :topic AND msg_key = :msg_key AND dead_id > :after AND (CAST(:reason AS
VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19))
IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND
(CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000
CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY
dead_id FETCH FIRST :limit ROWS ONLY

-- deadOfTopic.count
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE topic = :topic AND (CAST(:reason AS VARCHAR2(255
CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR
died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) FETCH FIRST :bound ROWS ONLY)
counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND
(CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older
AS NUMBER(19)) IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001,
'SECOND')) AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS
VARCHAR2(1000 CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19)))
FETCH FIRST :bound ROWS ONLY) counted

-- deadOfTopic.ids
SELECT dead_id, message_id FROM outbox_dead WHERE topic = :topic AND dead_id > :after AND (CAST(:reason AS
VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19))
IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND
(CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000
CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY
dead_id FETCH FIRST :limit ROWS ONLY
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND dead_id > :after AND
(CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older
AS NUMBER(19)) IS NULL OR died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001,
'SECOND')) AND (CAST(:error AS VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS
VARCHAR2(1000 CHAR)))) > 0) AND (CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19)))
ORDER BY dead_id FETCH FIRST :limit ROWS ONLY

-- deadOfTopic.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE topic = :topic AND dead_id > :after AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR
reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND topic = :topic AND dead_id > :after AND (CAST(:reason AS VARCHAR2(255
CHAR)) IS NULL OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR
died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY

-- deadOfTopic.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE topic = :topic AND dead_id > :after AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL OR reason =
CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND topic = :topic AND dead_id > :after AND (CAST(:reason AS VARCHAR2(255 CHAR)) IS NULL
OR reason = CAST(:reason AS VARCHAR2(255 CHAR))) AND (CAST(:older AS NUMBER(19)) IS NULL OR died_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:older * 0.000001, 'SECOND')) AND (CAST(:error AS
VARCHAR2(1000 CHAR)) IS NULL OR INSTR(LOWER(last_error), LOWER(CAST(:error AS VARCHAR2(1000 CHAR)))) > 0) AND
(CAST(:up_to AS NUMBER(19)) IS NULL OR dead_id <= CAST(:up_to AS NUMBER(19))) ORDER BY dead_id FETCH FIRST
:limit ROWS ONLY

-- deleteAnyParked
DELETE FROM outbox_parked WHERE lane = :lane AND id = :id AND message_id = :message_id

-- deleteDead
DELETE FROM outbox_dead d WHERE d.dead_id = :id AND d.message_id = :message_id AND d.cluster_id = 0
-- of several clusters
DELETE FROM outbox_dead d WHERE d.dead_id = :id AND d.message_id = :message_id AND d.cluster_id = 1

-- deleteDelayed
DELETE FROM outbox_delayed d WHERE d.id = :id

-- deleteParked
DELETE FROM outbox_parked WHERE lane = :lane AND id = :id AND message_id = :message_id AND cluster_id = 0
-- of several clusters
DELETE FROM outbox_parked WHERE lane = :lane AND id = :id AND message_id = :message_id AND cluster_id = 1

-- deleteReady
DELETE FROM outbox WHERE lane = :lane AND id = :id AND message_id = :message_id

-- dueBodies.arm
SELECT o.lane, o.id, o.payload, o.headers, o.history FROM outbox_parked o WHERE o.lane = :lane AND o.id = :id
AND o.message_id = :message_id AND o.cluster_id = 0
-- of several clusters
SELECT o.lane, o.id, o.payload, o.headers, o.history FROM outbox_parked o WHERE o.lane = :lane AND o.id = :id
AND o.message_id = :message_id AND o.cluster_id = 1

-- dueDelayed.arm
SELECT * FROM ( SELECT /*+ INDEX(d (lane due_at id)) */ d.lane, d.id, d.due_at FROM outbox_delayed d WHERE
d.lane = :lane AND d.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) ORDER BY d.due_at, d.id FETCH FIRST :limit ROWS
ONLY)

-- dueDelayed.last


-- dueHeads.arm
SELECT * FROM ( SELECT /*+ INDEX(o (lane due_at reason id topic)) */ o.lane, o.id, o.message_id, o.topic,
o.msg_key, o.content_type, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) +
NVL(DBMS_LOB.GETLENGTH(o.headers), 0) + NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline THEN o.headers END AS
headers, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) +
NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline THEN o.payload END AS payload, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) +
NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline THEN o.history END AS history,
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) +
NVL(DBMS_LOB.GETLENGTH(o.history), 0) AS weight, NVL(DBMS_LOB.GETLENGTH(o.payload), 0) AS bytes, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, CASE WHEN o.not_after <= SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1
ELSE 0 END AS expired, o.attempts, EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) *
86400000000 + EXTRACT(HOUR FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) * 3600000000 +
EXTRACT(MINUTE FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) * 60000000 + EXTRACT(SECOND FROM
SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) * 1000000 AS failing FROM outbox_parked o WHERE o.lane =
:lane AND o.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0 AND NOT
EXISTS ( SELECT 1 FROM outbox_parked e WHERE e.lane = o.lane AND e.topic = o.topic AND e.msg_key = o.msg_key
AND e.id < o.id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND
d.topic = o.topic AND d.msg_key = o.msg_key AND d.id < o.id) ORDER BY o.due_at, o.reason, o.id FETCH FIRST
:limit ROWS ONLY)

-- dueHeads.last


-- fence
UPDATE outbox_lane SET settles = settles + 1, floor = :floor, takeovers = takeovers * :keep, suspect_id = CASE
WHEN :keep = 1 THEN suspect_id END, suspect_count = suspect_count * :keep, lease_until = CASE WHEN :free = 1
THEN NULL ELSE SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:lease * 0.000001, 'SECOND') END, owner = CASE
WHEN :free = 1 THEN NULL ELSE owner END WHERE lane = :lane AND owner = :owner AND epoch = :epoch

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

-- followers.arm
SELECT * FROM ( SELECT /*+ INDEX(o (lane topic msg_key id)) */ o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.content_type, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) +
NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline THEN o.headers END AS headers, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) +
NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline THEN o.payload END AS payload, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) +
NVL(DBMS_LOB.GETLENGTH(o.history), 0) <= :inline THEN o.history END AS history,
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) +
NVL(DBMS_LOB.GETLENGTH(o.history), 0) AS weight, NVL(DBMS_LOB.GETLENGTH(o.payload), 0) AS bytes, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, CASE WHEN o.not_after <= SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1
ELSE 0 END AS expired, o.attempts, EXTRACT(DAY FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) *
86400000000 + EXTRACT(HOUR FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) * 3600000000 +
EXTRACT(MINUTE FROM SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) * 60000000 + EXTRACT(SECOND FROM
SYS_EXTRACT_UTC(SYSTIMESTAMP) - o.first_failed_at) * 1000000 AS failing FROM outbox_parked o WHERE o.lane =
:lane AND o.topic = :topic AND o.msg_key = :msg_key AND o.id > :id AND o.id < COALESCE(( SELECT d.id FROM
outbox_dead d WHERE d.lane = :lane AND d.holds = 1 AND d.topic = :topic AND d.msg_key = :msg_key ORDER BY d.id
FETCH FIRST 1 ROW ONLY), 9223372036854775807) ORDER BY o.id FETCH FIRST :limit ROWS ONLY)

-- forgetRelays
DELETE FROM outbox_relay WHERE live_until < SYS_EXTRACT_UTC(SYSTIMESTAMP) - INTERVAL '1' DAY

-- freeLanes
SELECT /*+ INDEX(l (lane)) */ lane, epoch, floor, suspect_id, suspect_count, CASE WHEN owner IS NULL THEN
takeovers ELSE takeovers + 1 END AS takeovers FROM outbox_lane l WHERE lane BETWEEN :first AND :last AND
(owner IS NULL OR lease_until <= SYS_EXTRACT_UTC(SYSTIMESTAMP) OR lease_until > SYS_EXTRACT_UTC(SYSTIMESTAMP)
+ NUMTODSINTERVAL(lease_micros * 0.000002, 'SECOND')) FOR UPDATE SKIP LOCKED

-- heads.arm
SELECT CAST(:n AS NUMBER(10)) AS n, ( SELECT p.id FROM outbox_parked p WHERE p.lane = :lane AND p.topic =
:topic AND p.msg_key = :msg_key ORDER BY p.id FETCH FIRST 1 ROW ONLY) AS id, ( SELECT d.id FROM outbox_dead d
WHERE d.lane = :lane AND d.holds = 1 AND d.topic = :topic AND d.msg_key = :msg_key ORDER BY d.id FETCH FIRST 1
ROW ONLY) AS hold FROM DUAL

-- heldKeys.arm
SELECT DISTINCT p.lane, p.topic, p.msg_key FROM outbox_parked p WHERE p.lane = :lane AND p.msg_key IS NOT NULL
UNION ALL SELECT DISTINCT d.lane, d.topic, d.msg_key FROM outbox_dead d WHERE d.lane = :lane AND d.holds = 1

-- heldKeys.last


-- highestArchived
SELECT MAX(n.id) AS highest FROM ( SELECT ( SELECT MAX(a.id) FROM outbox_archive a WHERE a.lane = l.lane AND
a.id >= :next) AS id FROM outbox_lane l) n

-- highestId
SELECT GREATEST( COALESCE((SELECT MAX(l.floor) FROM outbox_lane l), 0), COALESCE(( SELECT MAX(n.id) FROM (
SELECT ( SELECT MAX(o.id) FROM outbox o WHERE o.lane = l.lane AND o.id >= :next) AS id FROM outbox_lane l) n),
0), COALESCE(( SELECT MAX(n.id) FROM ( SELECT ( SELECT MAX(p.id) FROM outbox_parked p WHERE p.lane = l.lane
AND p.id >= :next) AS id FROM outbox_lane l) n), 0), COALESCE(( SELECT MAX(d.id) FROM ( SELECT id FROM
outbox_dead ORDER BY dead_id DESC FETCH FIRST :most ROWS ONLY) d), 0)) AS highest FROM DUAL

-- holdLane
SELECT lane FROM outbox_lane WHERE lane = :lane AND owner = :owner AND epoch = :epoch FOR UPDATE WAIT 5

-- holders.arm
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key FROM outbox_dead d WHERE d.dead_id = :id AND d.message_id =
:message_id AND d.cluster_id = 0 AND d.holds = 1
-- of several clusters
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key FROM outbox_dead d WHERE d.dead_id = :id AND d.message_id =
:message_id AND d.cluster_id = 1 AND d.holds = 1

-- insertKeys
INSERT INTO outbox_dedupe (topic, dedupe_key, message_id, created_at, expires_at) VALUES (:topic, :dedupe_key,
:message_id, SYS_EXTRACT_UTC(SYSTIMESTAMP), SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:keep * 0.000001,
'SECOND'))

-- insertReceipts
INSERT INTO outbox_receipt (consumer, message_id, received_at, expires_at) VALUES (:consumer, :message_id,
SYS_EXTRACT_UTC(SYSTIMESTAMP), SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:keep * 0.000001, 'SECOND'))

-- insertTopic
INSERT INTO outbox_topic (topic, paused, strict, rate_limit, in_flight_cap) VALUES (:topic, :paused, :strict,
:rate_limit, :in_flight_cap)

-- laneStates
SELECT lane, floor, CASE WHEN lease_until > SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN owner END AS owner FROM
outbox_lane ORDER BY lane

-- lanesOfOwner
SELECT lane FROM outbox_lane WHERE owner = :owner ORDER BY lane

-- lastDead
SELECT dead_id FROM outbox_dead WHERE dead_id > 0 ORDER BY dead_id DESC FETCH FIRST :limit ROWS ONLY
-- of several clusters
SELECT dead_id FROM outbox_dead WHERE cluster_id = 1 AND dead_id > 0 ORDER BY dead_id DESC FETCH FIRST :limit
ROWS ONLY

-- layout
SELECT schema_version, lanes, claiming, clusters, cluster_id FROM outbox_meta

-- leaseLane
UPDATE outbox_lane SET takeovers = :takeovers, owner = :owner, epoch = epoch + 1, lease_until =
SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:lease * 0.000001, 'SECOND'), lease_micros = :lease WHERE lane
= :lane AND epoch = :epoch

-- leave
DELETE FROM outbox_relay WHERE relay = :relay

-- limits.local


-- limits.read
SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') AS home FROM DUAL

-- limits.write
SELECT 0 AS nothing FROM DUAL

-- liveRelays
SELECT relay, sharing, started_at FROM outbox_relay WHERE live_until > SYS_EXTRACT_UTC(SYSTIMESTAMP)

-- lockLane
SELECT lane FROM outbox_lane WHERE lane = :lane FOR UPDATE WAIT 5

-- lockTopic
SELECT topic, paused, strict, rate_limit, in_flight_cap FROM outbox_topic WHERE topic = :topic FOR UPDATE WAIT
5

-- look.arm
SELECT CAST(:lane AS NUMBER(10)) AS lane, CASE WHEN EXISTS ( SELECT /*+ INDEX(o (lane id)) */ 1 FROM outbox o
WHERE o.lane = :lane AND o.id > :after) THEN 1 ELSE 0 END AS ready, CASE WHEN EXISTS ( SELECT /*+ INDEX(o
(lane due_at reason id topic)) */ 1 FROM outbox_parked o WHERE o.lane = :lane AND o.due_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0 AND NOT EXISTS ( SELECT 1 FROM
outbox_parked e WHERE e.lane = o.lane AND e.topic = o.topic AND e.msg_key = o.msg_key AND e.id < o.id) AND NOT
EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND d.msg_key
= o.msg_key AND d.id < o.id)) THEN 1 ELSE 0 END AS due, CASE WHEN EXISTS ( SELECT /*+ INDEX(d (lane due_at
id)) */ 1 FROM outbox_delayed d WHERE d.lane = :lane AND d.due_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)) THEN 1
ELSE 0 END AS later FROM DUAL

-- look.last
SELECT -1 AS lane, COUNT(*) AS ready, 0 AS due, 0 AS later FROM outbox_lane WHERE owner IS NULL OR lease_until
<= SYS_EXTRACT_UTC(SYSTIMESTAMP) OR lease_until > SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(lease_micros
* 0.000002, 'SECOND')

-- newest
SELECT MAX(n.id) AS newest FROM ( SELECT ( SELECT MAX(o.id) FROM outbox o WHERE o.lane = l.lane AND o.id >
:above) AS id FROM outbox_lane l) n

-- nextArchived
SELECT MAX(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE completed_at > :after
AND completed_at < :to AND lane BETWEEN :first AND :last AND topic = :topic ORDER BY completed_at FETCH FIRST
:limit ROWS ONLY) a

-- nextId
SELECT s.last_number AS next FROM all_tab_identity_cols i JOIN all_sequences s ON s.sequence_owner = i.owner
AND s.sequence_name = i.sequence_name WHERE i.owner = COALESCE(UPPER(:schema), SYS_CONTEXT('USERENV',
'CURRENT_SCHEMA')) AND i.table_name = UPPER(:name) AND i.column_name = UPPER('outbox_column')

-- now
SELECT SYS_EXTRACT_UTC(SYSTIMESTAMP) AS now FROM DUAL

-- oldArchive
SELECT MAX(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE completed_at >= :from
AND completed_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:retention * 0.000001, 'SECOND') ORDER BY
completed_at FETCH FIRST :limit ROWS ONLY) a
-- of several clusters
SELECT MAX(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE lane BETWEEN 32 AND
63 AND completed_at >= :from AND completed_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:retention *
0.000001, 'SECOND') ORDER BY completed_at FETCH FIRST :limit ROWS ONLY) a

-- ownLanes
SELECT /*+ INDEX(l (lane)) */ lane, epoch, floor, suspect_id, suspect_count, takeovers FROM outbox_lane l
WHERE owner = :owner FOR UPDATE SKIP LOCKED

-- parkReady
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) SELECT o.lane, :parked_as, 0, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, :reason, :attempts, CASE WHEN :attempts > 0 THEN
SYS_EXTRACT_UTC(SYSTIMESTAMP) END, SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:rest * 0.000001,
'SECOND'), :error, :history FROM outbox o WHERE o.lane = :lane AND o.id = :id AND o.message_id = :message_id
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) SELECT o.lane, :parked_as, 1, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload,
o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, :reason, :attempts, CASE WHEN :attempts > 0 THEN
SYS_EXTRACT_UTC(SYSTIMESTAMP) END, SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:rest * 0.000001,
'SECOND'), :error, :history FROM outbox o WHERE o.lane = :lane AND o.id = :id AND o.message_id = :message_id

-- promote
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM outbox_delayed d WHERE d.id = :id

-- publishAgain
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT lane, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at FROM outbox_archive WHERE completed_at > :after AND
completed_at <= :up_to AND lane BETWEEN :first AND :last AND topic = :topic ORDER BY completed_at, lane, id

-- purgeArchive
DELETE /*+ INDEX(a (completed_at)) */ FROM outbox_archive a WHERE completed_at >= :from AND completed_at <=
:up_to AND ROWNUM <= :limit
-- of several clusters
DELETE /*+ INDEX(a (completed_at)) */ FROM outbox_archive a WHERE lane BETWEEN 32 AND 63 AND completed_at >=
:from AND completed_at <= :up_to AND ROWNUM <= :limit

-- purgeDead
DELETE FROM outbox_dead WHERE died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) - NUMTODSINTERVAL(:retention *
0.000001, 'SECOND') AND holds = 0 AND ROWNUM <= :limit
-- of several clusters
DELETE FROM outbox_dead WHERE cluster_id = 1 AND died_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) -
NUMTODSINTERVAL(:retention * 0.000001, 'SECOND') AND holds = 0 AND ROWNUM <= :limit

-- purgeKeys.delete
DELETE FROM outbox_dedupe WHERE topic = :topic AND dedupe_key = :dedupe_key AND expires_at <=
SYS_EXTRACT_UTC(SYSTIMESTAMP)

-- purgeKeys.lock
SELECT topic, dedupe_key FROM outbox_dedupe WHERE expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) FOR UPDATE SKIP
LOCKED

-- purgeReceipts.delete
DELETE FROM outbox_receipt WHERE consumer = :consumer AND message_id = :message_id

-- purgeReceipts.lock
SELECT consumer, message_id FROM outbox_receipt WHERE expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) FOR UPDATE
SKIP LOCKED

-- putArchive
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, content_type, ref_table, ref_id, origin,
not_after, created_at, completed_at, payload, headers) VALUES (:lane, :id, :message_id, :topic, :msg_key,
:content_type, :ref_table, :ref_id, :origin, :not_after, :created_at, SYS_EXTRACT_UTC(SYSTIMESTAMP), :payload,
:headers)

-- putDead
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, content_type, ref_table, ref_id,
origin, not_after, created_at, reason, attempts, died_at, holds, payload, headers, last_error, history) VALUES
(0, :lane, :id, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :origin, :not_after,
:created_at, :reason, :attempts, SYS_EXTRACT_UTC(SYSTIMESTAMP), :holds, :payload, :headers, :error, :history)
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, content_type, ref_table, ref_id,
origin, not_after, created_at, reason, attempts, died_at, holds, payload, headers, last_error, history) VALUES
(1, :lane, :id, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :origin, :not_after,
:created_at, :reason, :attempts, SYS_EXTRACT_UTC(SYSTIMESTAMP), :holds, :payload, :headers, :error, :history)

-- putParked
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, content_type, ref_table, ref_id,
origin, not_after, created_at, reason, attempts, first_failed_at, due_at, payload, headers, last_error,
history) VALUES (:lane, :id, 0, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :origin,
:not_after, :created_at, :reason, :attempts, COALESCE(CAST(:first_failed_at AS TIMESTAMP(6)), CASE WHEN
:attempts > 0 THEN SYS_EXTRACT_UTC(SYSTIMESTAMP) END), COALESCE(CAST(:due AS TIMESTAMP(6)),
SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND')), :payload, :headers, :error,
:history)
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, content_type, ref_table, ref_id,
origin, not_after, created_at, reason, attempts, first_failed_at, due_at, payload, headers, last_error,
history) VALUES (:lane, :id, 1, :message_id, :topic, :msg_key, :content_type, :ref_table, :ref_id, :origin,
:not_after, :created_at, :reason, :attempts, COALESCE(CAST(:first_failed_at AS TIMESTAMP(6)), CASE WHEN
:attempts > 0 THEN SYS_EXTRACT_UTC(SYSTIMESTAMP) END), COALESCE(CAST(:due AS TIMESTAMP(6)),
SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND')), :payload, :headers, :error,
:history)

-- putReady
INSERT INTO outbox (lane, id, message_id, topic, msg_key, content_type, ref_table, ref_id, origin, not_after,
created_at, payload, headers) VALUES (:lane, :id, :message_id, :topic, :msg_key, :content_type, :ref_table,
:ref_id, :origin, :not_after, :created_at, :payload, :headers)

-- raiseNextId
ALTER TABLE outbox_table MODIFY outbox_column GENERATED BY DEFAULT ON NULL AS IDENTITY (START WITH outbox_next
CACHE 1000 ORDER)

-- ready.arm
SELECT * FROM ( SELECT /*+ INDEX(o (lane id)) */ o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.content_type, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <=
:inline THEN o.headers END AS headers, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) +
NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <= :inline THEN o.payload END AS payload, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline THEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) END AS weight, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline THEN
DBMS_LOB.GETLENGTH(o.payload) END AS bytes, o.ref_table, o.ref_id, o.not_after, CASE WHEN o.not_after <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1 END AS expired FROM outbox o WHERE o.lane = :lane AND o.id > :after ORDER
BY o.id FETCH FIRST :limit ROWS ONLY)
-- of several clusters
SELECT * FROM ( SELECT /*+ INDEX(o (lane id)) */ o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.content_type, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <=
:inline THEN o.headers END AS headers, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) +
NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <= :inline THEN o.payload END AS payload, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline THEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) END AS weight, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline THEN
DBMS_LOB.GETLENGTH(o.payload) END AS bytes, o.ref_table, o.ref_id, o.origin, o.not_after, CASE WHEN
o.not_after <= SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1 END AS expired FROM outbox o WHERE o.lane = :lane AND o.id
> :after ORDER BY o.id FETCH FIRST :limit ROWS ONLY)

-- ready.last


-- readyBodies.arm
SELECT o.lane, o.id, o.payload, o.headers FROM outbox o WHERE o.lane = :lane AND o.id = :id AND o.message_id =
:message_id

-- readyPast.arm
SELECT * FROM ( SELECT /*+ INDEX(o (lane id)) */ o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.content_type, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <=
:inline THEN o.headers END AS headers, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) +
NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <= :inline THEN o.payload END AS payload, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline THEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) END AS weight, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline THEN
DBMS_LOB.GETLENGTH(o.payload) END AS bytes, o.ref_table, o.ref_id, o.not_after, CASE WHEN o.not_after <=
SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1 END AS expired FROM outbox o WHERE o.lane = :lane AND o.id > :after AND
o.id <= :after + :reach AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0 ORDER BY o.id FETCH FIRST :limit
ROWS ONLY)
-- of several clusters
SELECT * FROM ( SELECT /*+ INDEX(o (lane id)) */ o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.content_type, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <=
:inline THEN o.headers END AS headers, CASE WHEN NVL(DBMS_LOB.GETLENGTH(o.payload), 0) +
NVL(DBMS_LOB.GETLENGTH(o.headers), 0) <= :inline THEN o.payload END AS payload, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline THEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) END AS weight, CASE WHEN
NVL(DBMS_LOB.GETLENGTH(o.payload), 0) + NVL(DBMS_LOB.GETLENGTH(o.headers), 0) > :inline THEN
DBMS_LOB.GETLENGTH(o.payload) END AS bytes, o.ref_table, o.ref_id, o.origin, o.not_after, CASE WHEN
o.not_after <= SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1 END AS expired FROM outbox o WHERE o.lane = :lane AND o.id
> :after AND o.id <= :after + :reach AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0 ORDER BY o.id FETCH
FIRST :limit ROWS ONLY)

-- readyPast.last


-- releasable.arm
SELECT * FROM ( SELECT /*+ INDEX(o (lane due_at reason id topic)) */ o.lane, o.id FROM outbox_parked o WHERE
o.lane = :lane AND o.due_at IS NULL AND o.reason = 'TOPIC' AND INSTR(:held, CHR(1) || o.topic || CHR(1)) = 0
ORDER BY o.id FETCH FIRST :limit ROWS ONLY)

-- releasable.last


-- replay
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM outbox_dead d WHERE d.dead_id = :id
AND d.message_id = :message_id AND d.cluster_id = 0
-- of several clusters
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM outbox_dead d WHERE d.dead_id = :id
AND d.message_id = :message_id AND d.cluster_id = 1

-- replayHolders
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, due_at, last_error, history) SELECT
d.lane, d.id, 0, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload, d.ref_table,
d.ref_id, d.origin, d.not_after, d.created_at, 'FAILED', 0, SYS_EXTRACT_UTC(SYSTIMESTAMP), d.last_error,
d.history FROM outbox_dead d WHERE d.dead_id = :id AND d.message_id = :message_id AND d.cluster_id = 0 AND
d.holds = 1
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, due_at, last_error, history) SELECT
d.lane, d.id, 1, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload, d.ref_table,
d.ref_id, d.origin, d.not_after, d.created_at, 'FAILED', 0, SYS_EXTRACT_UTC(SYSTIMESTAMP), d.last_error,
d.history FROM outbox_dead d WHERE d.dead_id = :id AND d.message_id = :message_id AND d.cluster_id = 1 AND
d.holds = 1

-- reschedule
UPDATE outbox_parked p SET reason = :reason, attempts = :attempts, first_failed_at =
COALESCE(p.first_failed_at, CASE WHEN :attempts > 0 THEN SYS_EXTRACT_UTC(SYSTIMESTAMP) END), due_at =
SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND'), last_error =
COALESCE(TO_CLOB(:error), p.last_error), history = :history WHERE p.lane = :lane AND p.id = :id AND
p.message_id = :message_id AND p.cluster_id = 0
-- of several clusters
UPDATE outbox_parked p SET reason = :reason, attempts = :attempts, first_failed_at =
COALESCE(p.first_failed_at, CASE WHEN :attempts > 0 THEN SYS_EXTRACT_UTC(SYSTIMESTAMP) END), due_at =
SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND'), last_error =
COALESCE(TO_CLOB(:error), p.last_error), history = :history WHERE p.lane = :lane AND p.id = :id AND
p.message_id = :message_id AND p.cluster_id = 1

-- restoreSuspect
UPDATE outbox_lane SET settles = settles + 1, suspect_id = CASE WHEN :deaths > 0 THEN suspect_id END,
suspect_count = :deaths WHERE lane = :lane AND owner = :owner AND epoch = :epoch AND suspect_id = :id

-- retakeKey
UPDATE outbox_dedupe SET message_id = :message_id, created_at = SYS_EXTRACT_UTC(SYSTIMESTAMP), expires_at =
SYS_EXTRACT_UTC(SYSTIMESTAMP) + NUMTODSINTERVAL(:keep * 0.000001, 'SECOND') WHERE topic = :topic AND
dedupe_key = :dedupe_key AND expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP)

-- retrying.arm
SELECT * FROM ( SELECT /*+ INDEX(p (lane due_at reason id topic)) */ p.message_id, p.topic, p.msg_key,
p.attempts, p.due_at, p.last_error FROM outbox_parked p WHERE p.lane = :lane AND p.due_at IS NOT NULL AND
p.attempts > 0 AND (CAST(:only AS VARCHAR2(255 CHAR)) IS NULL OR p.topic = CAST(:only AS VARCHAR2(255 CHAR)))
ORDER BY p.due_at FETCH FIRST :limit ROWS ONLY)

-- retrying.last


-- suspect
UPDATE outbox_lane SET settles = settles + 1, suspect_count = CASE WHEN EXISTS ( SELECT 1 FROM outbox o WHERE
o.lane = :lane AND o.id = :id AND o.message_id = :message_id) OR EXISTS ( SELECT 1 FROM outbox_parked p WHERE
p.lane = :lane AND p.id = :id AND p.message_id = :message_id) THEN CASE WHEN suspect_id = :id THEN
suspect_count + 1 ELSE 1 END ELSE suspect_count END, suspect_id = CASE WHEN EXISTS ( SELECT 1 FROM outbox o
WHERE o.lane = :lane AND o.id = :id AND o.message_id = :message_id) OR EXISTS ( SELECT 1 FROM outbox_parked p
WHERE p.lane = :lane AND p.id = :id AND p.message_id = :message_id) THEN :id ELSE suspect_id END WHERE lane =
:lane AND owner = :owner AND epoch = :epoch

-- takenArchive.arm
SELECT t.lane, t.id FROM outbox_archive t WHERE t.lane = :lane AND t.id = :id

-- takenKey
SELECT message_id, CASE WHEN expires_at <= SYS_EXTRACT_UTC(SYSTIMESTAMP) THEN 1 ELSE 0 END AS expired FROM
outbox_dedupe WHERE topic = :topic AND dedupe_key = :dedupe_key

-- takenParked.arm
SELECT t.lane, t.id FROM outbox_parked t WHERE t.lane = :lane AND t.id = :id AND t.cluster_id = 0
-- of several clusters
SELECT t.lane, t.id FROM outbox_parked t WHERE t.lane = :lane AND t.id = :id AND t.cluster_id = 1

-- topics
SELECT topic, paused, strict, rate_limit, in_flight_cap FROM outbox_topic

-- updateTopic
UPDATE outbox_topic SET paused = :paused, strict = :strict, rate_limit = :rate_limit, in_flight_cap =
:in_flight_cap WHERE topic = :topic

-- wakeHeads
UPDATE outbox_parked SET due_at = SYS_EXTRACT_UTC(SYSTIMESTAMP) WHERE lane = :lane AND id = :id AND cluster_id
= 0 AND due_at IS NULL
-- of several clusters
UPDATE outbox_parked SET due_at = SYS_EXTRACT_UTC(SYSTIMESTAMP) WHERE lane = :lane AND id = :id AND cluster_id
= 1 AND due_at IS NULL

-- writers
SELECT l.inst_id || '.' || l.xidusn || '.' || l.xidslot || '.' || l.xidsqn AS name FROM gv$locked_object l
JOIN all_objects o ON o.object_id = l.object_id WHERE o.object_type = 'TABLE' AND o.owner || '.' ||
o.object_name = CASE WHEN INSTR('outbox', '.') > 0 THEN UPPER('outbox') ELSE SYS_CONTEXT('USERENV',
'CURRENT_SCHEMA') || '.' || UPPER('outbox') END AND l.locked_mode >= 3 AND NOT (l.inst_id =
SYS_CONTEXT('USERENV', 'INSTANCE') AND l.session_id = SYS_CONTEXT('USERENV', 'SID'))
