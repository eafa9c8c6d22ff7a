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
SELECT MAX(o.id + 0) AS id FROM outbox_delayed o WHERE o.lane = :lane AND o.due_at <= UTC_TIMESTAMP(6)

-- ClusterSql.last PARKED
SELECT MAX(o.id) AS id FROM outbox_parked o WHERE o.lane = :lane

-- ClusterSql.last READY
SELECT MAX(o.id) AS id FROM outbox o WHERE o.lane = :lane

-- ClusterSql.lastBatch
SELECT MAX(batch) AS batch FROM outbox_takeover WHERE cluster_id = 0
-- of several clusters
SELECT MAX(batch) AS batch FROM outbox_takeover WHERE cluster_id = 1

-- ClusterSql.lockLanes
SELECT lane, CASE WHEN owner IS NOT NULL AND lease_until > UTC_TIMESTAMP(6) THEN 1 ELSE 0 END AS leased FROM
outbox_lane ORDER BY lane FOR UPDATE

-- ClusterSql.note DELAYED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox_delayed o WHERE o.lane = :lane AND
o.id <= :upTo AND o.due_at <= UTC_TIMESTAMP(6) AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane =
o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM
outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) =
LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key) = LENGTH(o.msg_key) ) ORDER BY o.due_at, o.id
LIMIT :limit
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox_delayed o WHERE o.lane = :lane AND
o.id <= :upTo AND o.due_at <= UTC_TIMESTAMP(6) AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane =
o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM
outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) =
LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key) = LENGTH(o.msg_key) ) ORDER BY o.due_at, o.id
LIMIT :limit

-- ClusterSql.note PARKED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox_parked o WHERE o.lane = :lane AND
o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key
AND LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id) ORDER BY o.id LIMIT :limit
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox_parked o WHERE o.lane = :lane AND
o.id <= :upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND
t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane =
o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key
AND LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id) ORDER BY o.id LIMIT :limit

-- ClusterSql.note READY
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox o WHERE o.lane = :lane AND o.id <=
:upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 0
AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND
d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND
LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id) ORDER BY o.id LIMIT :limit
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox o WHERE o.lane = :lane AND o.id <=
:upTo AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 0
AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND
d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND
LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id) ORDER BY o.id LIMIT :limit

-- ClusterSql.noteOne DELAYED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox_delayed o WHERE o.lane = :lane AND
o.id = :id AND o.due_at <= UTC_TIMESTAMP(6) AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane =
o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM
outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) =
LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key) = LENGTH(o.msg_key) )
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 1,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox_delayed o WHERE o.lane = :lane AND
o.id = :id AND o.due_at <= UTC_TIMESTAMP(6) AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane =
o.lane AND t.id = o.id AND t.later = 1 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM
outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) =
LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key) = LENGTH(o.msg_key) )

-- ClusterSql.noteOne PARKED
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox_parked o WHERE o.lane = :lane AND
o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later
= 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND
d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND
LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id)
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox_parked o WHERE o.lane = :lane AND
o.id = :id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later
= 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND
d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND
LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id)

-- ClusterSql.noteOne READY
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 0, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox o WHERE o.lane = :lane AND o.id =
:id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 0 AND
t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds =
1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key)
= LENGTH(o.msg_key) AND d.id < o.id)
-- of several clusters
INSERT INTO outbox_takeover (lane, id, later, message_id, cluster_id, batch, taken_at) SELECT o.lane, o.id, 0,
o.message_id, 1, CAST(:batch AS DECIMAL(19)), UTC_TIMESTAMP(6) FROM outbox o WHERE o.lane = :lane AND o.id =
:id AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 0 AND
t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds =
1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key)
= LENGTH(o.msg_key) AND d.id < o.id)

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
SELECT o.id FROM outbox_delayed o WHERE o.lane = :lane AND o.due_at <= UTC_TIMESTAMP(6) AND NOT EXISTS (
SELECT 1 FROM outbox_takeover t WHERE t.lane = o.lane AND t.id = o.id AND t.later = 1 AND t.message_id =
o.message_id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic =
o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key) =
LENGTH(o.msg_key) ) ORDER BY o.due_at, o.id LIMIT :limit

-- ClusterSql.toTake PARKED
SELECT o.id FROM outbox_parked o WHERE o.lane = :lane AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE
t.lane = o.lane AND t.id = o.id AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1
FROM outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) =
LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id) ORDER BY
o.id LIMIT :limit

-- ClusterSql.toTake READY
SELECT o.id FROM outbox o WHERE o.lane = :lane AND NOT EXISTS ( SELECT 1 FROM outbox_takeover t WHERE t.lane =
o.lane AND t.id = o.id AND t.later = 0 AND t.message_id = o.message_id) AND NOT EXISTS ( SELECT 1 FROM
outbox_dead d WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) =
LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id) ORDER BY
o.id LIMIT :limit

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
o.due_at <= UTC_TIMESTAMP(6) ORDER BY o.due_at, o.id LIMIT :limit) g ORDER BY g.due_at, g.id

-- SweepSql.dropNotes
DELETE FROM outbox_takeover WHERE cluster_id = 0 AND batch <= :batch AND taken_at < :before
-- of several clusters
DELETE FROM outbox_takeover WHERE cluster_id = 1 AND batch <= :batch AND taken_at < :before

-- SweepSql.followers
SELECT o.lane, o.id, o.message_id, CASE WHEN o.due_at IS NULL AND o.reason = 'FOLLOWER' AND NOT EXISTS (
SELECT 1 FROM outbox_parked e FORCE INDEX (outbox_parked_keys) WHERE e.lane = o.lane AND e.topic = o.topic AND
LENGTH(e.topic) = LENGTH(o.topic) AND e.msg_key = o.msg_key AND LENGTH(e.msg_key) = LENGTH(o.msg_key) AND e.id
< o.id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d FORCE INDEX (outbox_dead_holds) WHERE d.lane = o.lane AND
d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND
LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id) THEN 1 ELSE 0 END AS hit FROM ( SELECT p.lane, p.id,
p.message_id, p.topic, p.msg_key, p.due_at, p.reason FROM outbox_parked p WHERE p.lane BETWEEN :low AND :high
AND p.id > :after ORDER BY p.lane, p.id LIMIT :limit) o ORDER BY o.lane, o.id

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
UPDATE outbox_parked SET due_at = UTC_TIMESTAMP(6) WHERE lane = :lane AND id = :id AND due_at IS NULL

-- ages.arm
(SELECT :lane AS lane, ( SELECT TIMESTAMPDIFF(MICROSECOND, o.created_at, UTC_TIMESTAMP(6)) FROM outbox o FORCE
INDEX (PRIMARY) WHERE o.lane = :lane AND o.id > :after ORDER BY o.id LIMIT 1) AS ready_age, ( SELECT
TIMESTAMPDIFF(MICROSECOND, o.due_at, UTC_TIMESTAMP(6)) FROM outbox_parked o FORCE INDEX (outbox_parked_heads)
WHERE o.lane = :lane AND o.due_at <= UTC_TIMESTAMP(6) AND o.content_type IS NOT NULL ORDER BY o.due_at LIMIT
1) AS due_age)

-- ages.last


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
COALESCE(CAST(:due AS DATETIME(6)), UTC_TIMESTAMP(6) + INTERVAL :delay MICROSECOND))

-- archiveParked
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
UTC_TIMESTAMP(6) FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id
BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON
o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = 0
-- of several clusters
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
UTC_TIMESTAMP(6) FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id
BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON
o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = 1

-- archiveReady
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key,
o.headers, o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at,
UTC_TIMESTAMP(6) FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id
BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane
= a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)

-- atMost
LIMIT :limit

-- beat
INSERT INTO outbox_relay (relay, live_until, started_at, sharing) VALUES (:relay, UTC_TIMESTAMP(6) + INTERVAL
:lifetime MICROSECOND, UTC_TIMESTAMP(6), :sharing) ON DUPLICATE KEY UPDATE started_at = CASE WHEN live_until >
UTC_TIMESTAMP(6) THEN started_at ELSE VALUES(started_at) END, live_until = VALUES(live_until), sharing =
VALUES(sharing)

-- behind
SELECT o.lane, o.id FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id
BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY)
ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) WHERE EXISTS ( SELECT 1 FROM
outbox_parked e FORCE INDEX (outbox_parked_keys) WHERE e.lane = o.lane AND e.topic = o.topic AND
LENGTH(e.topic) = LENGTH(o.topic) AND e.msg_key = o.msg_key AND LENGTH(e.msg_key) = LENGTH(o.msg_key) AND e.id
< o.id) OR EXISTS ( SELECT 1 FROM outbox_dead d FORCE INDEX (outbox_dead_holds) WHERE d.lane = o.lane AND
d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND
LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id)

-- boundClock
CAST(:now AS DATETIME(6))

-- buryParked
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts, a.error, a.history, UTC_TIMESTAMP(6),
a.holds FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id BIGINT PATH
'$.id', message_id CHAR(32) PATH '$.message_id', reason VARCHAR(32) PATH '$.reason', attempts INT PATH
'$.attempts', error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history', holds INT PATH '$.holds'))
a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND o.message_id =
UNHEX(a.message_id) AND o.cluster_id = 0 ORDER BY o.lane, o.id
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 1, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts, a.error, a.history, UTC_TIMESTAMP(6),
a.holds FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id BIGINT PATH
'$.id', message_id CHAR(32) PATH '$.message_id', reason VARCHAR(32) PATH '$.reason', attempts INT PATH
'$.attempts', error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history', holds INT PATH '$.holds'))
a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND o.message_id =
UNHEX(a.message_id) AND o.cluster_id = 1 ORDER BY o.lane, o.id

-- buryReady
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 0, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts, a.error, a.history, UTC_TIMESTAMP(6),
a.holds FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id BIGINT PATH
'$.id', message_id CHAR(32) PATH '$.message_id', reason VARCHAR(32) PATH '$.reason', attempts INT PATH
'$.attempts', error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history', holds INT PATH '$.holds'))
a STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND o.message_id =
UNHEX(a.message_id) ORDER BY o.lane, o.id
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
SELECT 1, o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts, a.error, a.history, UTC_TIMESTAMP(6),
a.holds FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id BIGINT PATH
'$.id', message_id CHAR(32) PATH '$.message_id', reason VARCHAR(32) PATH '$.reason', attempts INT PATH
'$.attempts', error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history', holds INT PATH '$.holds'))
a STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND o.message_id =
UNHEX(a.message_id) ORDER BY o.lane, o.id

-- cancel
DELETE FROM outbox_delayed WHERE id = :id AND message_id = :message_id

-- claimDelayed
SELECT lane, id, due_at FROM outbox_delayed FORCE INDEX (outbox_delayed_heads) WHERE lane = 0 AND due_at <=
UTC_TIMESTAMP(6) AND topic IS NOT NULL ORDER BY due_at, id LIMIT :limit FOR UPDATE SKIP LOCKED

-- claimDue.delete
DELETE o FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id BIGINT PATH
'$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane =
a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = 0
-- of several clusters
DELETE o FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id BIGINT PATH
'$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane =
a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = 1

-- claimDue.lock
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, CASE WHEN o.not_after <= UTC_TIMESTAMP(6) THEN 1 ELSE 0 END AS
expired, o.attempts, o.first_failed_at, o.due_at, o.reason, o.last_error, o.history,
TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, UTC_TIMESTAMP(6)) AS failing FROM outbox_parked o FORCE INDEX
(outbox_parked_heads) WHERE o.lane = 0 AND o.due_at <= UTC_TIMESTAMP(6) AND LOCATE(CONCAT(_utf8mb4 X'01',
o.topic, _utf8mb4 X'01'), CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0 ORDER BY o.due_at LIMIT :limit
FOR UPDATE SKIP LOCKED

-- claimReady.delete
DELETE o FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id BIGINT PATH
'$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane = a.lane
AND o.id = a.id AND o.message_id = UNHEX(a.message_id)

-- claimReady.lock
SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.headers, o.content_type, o.payload, o.ref_table,
o.ref_id, o.origin, o.not_after, o.created_at, CASE WHEN o.not_after <= UTC_TIMESTAMP(6) THEN 1 ELSE 0 END AS
expired FROM outbox o FORCE INDEX (PRIMARY) WHERE o.lane = 0 AND (CHAR_LENGTH(:held) = 2 OR
LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'), CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0)
ORDER BY o.lane, o.id LIMIT :limit FOR UPDATE SKIP LOCKED

-- claimReleasable
SELECT o.lane, o.id FROM outbox_parked o FORCE INDEX (outbox_parked_heads) WHERE o.lane = 0 AND o.due_at IS
NULL AND o.reason = 'TOPIC' AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'), CONVERT(:held USING
utf8mb4) COLLATE utf8mb4_bin) = 0 ORDER BY o.id LIMIT :limit FOR UPDATE SKIP LOCKED

-- clock
UTC_TIMESTAMP(6)

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
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE (:msg_key IS NULL OR (msg_key = :msg_key AND
LENGTH(msg_key) = LENGTH(:msg_key))) AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at
<= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING
utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) LIMIT :bound) counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND (:msg_key IS NULL OR (msg_key
= :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key))) AND (:reason IS NULL OR reason = :reason) AND (:older IS
NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR
LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to)
LIMIT :bound) counted

-- dead.ids
SELECT dead_id, message_id FROM outbox_dead WHERE dead_id > :after AND (:msg_key IS NULL OR (msg_key =
:msg_key AND LENGTH(msg_key) = LENGTH(:msg_key))) AND (:reason IS NULL OR reason = :reason) AND (:older IS
NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR
LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to)
ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND dead_id > :after AND (:msg_key IS NULL OR
(msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key))) AND (:reason IS NULL OR reason = :reason) AND
(:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR
LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to)
ORDER BY dead_id LIMIT :limit

-- dead.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE dead_id > :after AND (:msg_key IS NULL OR (msg_key = :msg_key AND LENGTH(msg_key) =
LENGTH(:msg_key))) AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <=
UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING
utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND dead_id > :after AND (:msg_key IS NULL OR (msg_key = :msg_key AND
LENGTH(msg_key) = LENGTH(:msg_key))) AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at
<= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING
utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit

-- dead.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE dead_id > :after AND (:msg_key IS NULL OR (msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key)))
AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older
MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND
(:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND dead_id > :after AND (:msg_key IS NULL OR (msg_key = :msg_key AND LENGTH(msg_key) =
LENGTH(:msg_key))) AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <=
UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING
utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit

-- deadOfKey.count
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE topic = :topic AND LENGTH(topic) =
LENGTH(:topic) AND msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key) AND (:reason IS NULL OR reason =
:reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL
OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <=
:up_to) LIMIT :bound) counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND
LENGTH(topic) = LENGTH(:topic) AND msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key) AND (:reason IS
NULL OR reason = :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND)
AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS
NULL OR dead_id <= :up_to) LIMIT :bound) counted

-- deadOfKey.ids
SELECT dead_id, message_id FROM outbox_dead WHERE topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND
msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key) AND dead_id > :after AND (:reason IS NULL OR reason
= :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS
NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <=
:up_to) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND LENGTH(topic) =
LENGTH(:topic) AND msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key) AND dead_id > :after AND (:reason
IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND)
AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS
NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit

-- deadOfKey.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND msg_key = :msg_key AND LENGTH(msg_key)
= LENGTH(:msg_key) AND dead_id > :after AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR
died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error
USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT
:limit
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND msg_key = :msg_key
AND LENGTH(msg_key) = LENGTH(:msg_key) AND dead_id > :after AND (:reason IS NULL OR reason = :reason) AND
(:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR
LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to)
ORDER BY dead_id LIMIT :limit

-- deadOfKey.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND msg_key = :msg_key AND LENGTH(msg_key) =
LENGTH(:msg_key) AND dead_id > :after AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at
<= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING
utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND msg_key = :msg_key AND
LENGTH(msg_key) = LENGTH(:msg_key) AND dead_id > :after AND (:reason IS NULL OR reason = :reason) AND (:older
IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR
LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to)
ORDER BY dead_id LIMIT :limit

-- deadOfTopic.count
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE topic = :topic AND LENGTH(topic) =
LENGTH(:topic) AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) -
INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)),
LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) LIMIT :bound) counted
-- of several clusters
SELECT COUNT(*) FROM ( SELECT 1 AS one FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND
LENGTH(topic) = LENGTH(:topic) AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <=
UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING
utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) LIMIT :bound) counted

-- deadOfTopic.ids
SELECT dead_id, message_id FROM outbox_dead WHERE topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND
dead_id > :after AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6)
- INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)),
LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id FROM outbox_dead WHERE cluster_id = 1 AND topic = :topic AND LENGTH(topic) =
LENGTH(:topic) AND dead_id > :after AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at
<= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING
utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit

-- deadOfTopic.page
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND dead_id > :after AND (:reason IS NULL
OR reason = :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND
(:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR
dead_id <= :up_to) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at, 0 AS expired, reason, attempts, last_error, history, died_at, holds FROM
outbox_dead WHERE cluster_id = 1 AND topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND dead_id > :after
AND (:reason IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older
MICROSECOND) AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND
(:up_to IS NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit

-- deadOfTopic.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND dead_id > :after AND (:reason IS NULL OR reason =
:reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND) AND (:error IS NULL
OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS NULL OR dead_id <=
:up_to) ORDER BY dead_id LIMIT :limit
-- of several clusters
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds FROM outbox_dead
WHERE cluster_id = 1 AND topic = :topic AND LENGTH(topic) = LENGTH(:topic) AND dead_id > :after AND (:reason
IS NULL OR reason = :reason) AND (:older IS NULL OR died_at <= UTC_TIMESTAMP(6) - INTERVAL :older MICROSECOND)
AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0) AND (:up_to IS
NULL OR dead_id <= :up_to) ORDER BY dead_id LIMIT :limit

-- dedupeSlots
SELECT s.slot FROM JSON_TABLE(CONVERT(:slots USING utf8mb4), '$[*]' COLUMNS (slot INT PATH '$')) a
STRAIGHT_JOIN outbox_dedupe_slot s FORCE INDEX (PRIMARY) ON s.slot = a.slot FOR UPDATE

-- deleteAnyParked
DELETE o FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id BIGINT PATH
'$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane =
a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)

-- deleteDead
DELETE d FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id
CHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox_dead d FORCE INDEX (PRIMARY) ON d.dead_id = a.id AND
d.message_id = UNHEX(a.message_id) AND d.cluster_id = 0
-- of several clusters
DELETE d FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id
CHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox_dead d FORCE INDEX (PRIMARY) ON d.dead_id = a.id AND
d.message_id = UNHEX(a.message_id) AND d.cluster_id = 1

-- deleteDelayed
DELETE d FROM JSON_TABLE(CONVERT(:ids USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$')) a STRAIGHT_JOIN
outbox_delayed d FORCE INDEX (PRIMARY) ON d.id = a.id

-- deleteParked
DELETE o FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id BIGINT PATH
'$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane =
a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = 0
-- of several clusters
DELETE o FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id BIGINT PATH
'$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane =
a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id) AND o.cluster_id = 1

-- deleteReady
DELETE o FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$[0]', id BIGINT PATH
'$[1]', message_id CHAR(32) PATH '$[2]')) a STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane = a.lane
AND o.id = a.id AND o.message_id = UNHEX(a.message_id)

-- dueBodies
SELECT o.lane, o.id, o.payload, o.headers, o.history FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]'
COLUMNS ( lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND o.message_id =
UNHEX(a.message_id) AND o.cluster_id = 0
-- of several clusters
SELECT o.lane, o.id, o.payload, o.headers, o.history FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]'
COLUMNS ( lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a
STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND o.message_id =
UNHEX(a.message_id) AND o.cluster_id = 1

-- dueDelayed.arm
(SELECT d.lane, d.id, d.due_at FROM outbox_delayed d FORCE INDEX (outbox_delayed_heads) WHERE d.lane = :lane
AND d.due_at <= UTC_TIMESTAMP(6) AND d.topic IS NOT NULL ORDER BY d.due_at, d.id LIMIT :limit)

-- dueDelayed.last


-- dueHeads.arm
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN COALESCE(LENGTH(o.payload),
0) + COALESCE(LENGTH(o.headers), 0) + COALESCE(LENGTH(o.history), 0) <= :inline THEN o.headers END AS headers,
CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) + COALESCE(LENGTH(o.history), 0) <=
:inline THEN o.payload END AS payload, CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers),
0) + COALESCE(LENGTH(o.history), 0) <= :inline THEN o.history END AS history, COALESCE(LENGTH(o.payload), 0) +
COALESCE(LENGTH(o.headers), 0) + COALESCE(LENGTH(o.history), 0) AS weight, COALESCE(LENGTH(o.payload), 0) AS
bytes, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, CASE WHEN o.not_after <= UTC_TIMESTAMP(6)
THEN 1 ELSE 0 END AS expired, o.attempts, TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, UTC_TIMESTAMP(6)) AS
failing FROM outbox_parked o FORCE INDEX (outbox_parked_heads) WHERE o.lane = :lane AND o.due_at <=
UTC_TIMESTAMP(6) AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'), CONVERT(:held USING utf8mb4)
COLLATE utf8mb4_bin) = 0 AND NOT EXISTS ( SELECT 1 FROM outbox_parked e FORCE INDEX (outbox_parked_keys) WHERE
e.lane = o.lane AND e.topic = o.topic AND LENGTH(e.topic) = LENGTH(o.topic) AND e.msg_key = o.msg_key AND
LENGTH(e.msg_key) = LENGTH(o.msg_key) AND e.id < o.id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d FORCE
INDEX (outbox_dead_holds) WHERE d.lane = o.lane AND d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) =
LENGTH(o.topic) AND d.msg_key = o.msg_key AND LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id) ORDER BY
o.due_at, o.reason, o.id LIMIT :limit)

-- dueHeads.last


-- fence
UPDATE JSON_TABLE(CONVERT(:lanes USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', epoch BIGINT PATH
'$.epoch', floor BIGINT PATH '$.floor', keep INT PATH '$.keep', free INT PATH '$.free')) a STRAIGHT_JOIN
outbox_lane l FORCE INDEX (PRIMARY) ON l.lane = a.lane SET l.settles = l.settles + 1, l.floor = a.floor,
l.takeovers = l.takeovers * a.keep, l.suspect_id = CASE WHEN a.keep = 1 THEN l.suspect_id END, l.suspect_count
= l.suspect_count * a.keep, l.lease_until = CASE WHEN a.free = 1 THEN NULL ELSE UTC_TIMESTAMP(6) + INTERVAL
:lease MICROSECOND END, l.owner = CASE WHEN a.free = 1 THEN NULL ELSE l.owner END WHERE l.owner = :owner AND
l.epoch = a.epoch

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
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN COALESCE(LENGTH(o.payload),
0) + COALESCE(LENGTH(o.headers), 0) + COALESCE(LENGTH(o.history), 0) <= :inline THEN o.headers END AS headers,
CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) + COALESCE(LENGTH(o.history), 0) <=
:inline THEN o.payload END AS payload, CASE WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers),
0) + COALESCE(LENGTH(o.history), 0) <= :inline THEN o.history END AS history, COALESCE(LENGTH(o.payload), 0) +
COALESCE(LENGTH(o.headers), 0) + COALESCE(LENGTH(o.history), 0) AS weight, COALESCE(LENGTH(o.payload), 0) AS
bytes, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, CASE WHEN o.not_after <= UTC_TIMESTAMP(6)
THEN 1 ELSE 0 END AS expired, o.attempts, TIMESTAMPDIFF(MICROSECOND, o.first_failed_at, UTC_TIMESTAMP(6)) AS
failing FROM outbox_parked o FORCE INDEX (outbox_parked_keys) WHERE o.lane = :lane AND o.topic = :topic AND
LENGTH(o.topic) = LENGTH(:topic) AND o.msg_key = :msg_key AND LENGTH(o.msg_key) = LENGTH(:msg_key) AND o.id >
:id AND o.id < COALESCE(( SELECT d.id FROM outbox_dead d FORCE INDEX (outbox_dead_holds) WHERE d.lane = :lane
AND d.holds = 1 AND d.topic = :topic AND LENGTH(d.topic) = LENGTH(:topic) AND d.msg_key = :msg_key AND
LENGTH(d.msg_key) = LENGTH(:msg_key) ORDER BY d.id LIMIT 1), 9223372036854775807) ORDER BY o.id LIMIT :limit)

-- forgetRelays
DELETE FROM outbox_relay WHERE live_until < UTC_TIMESTAMP(6) - INTERVAL 1 DAY

-- freeLanes
SELECT lane, epoch, floor, suspect_id, suspect_count, CASE WHEN owner IS NULL THEN takeovers ELSE takeovers +
1 END AS takeovers FROM outbox_lane WHERE lane BETWEEN :first AND :last AND (owner IS NULL OR lease_until <=
UTC_TIMESTAMP(6) OR lease_until > UTC_TIMESTAMP(6) + INTERVAL 2 * lease_micros MICROSECOND) ORDER BY lane
LIMIT :limit FOR UPDATE SKIP LOCKED

-- heads.arm
(SELECT :n AS n, ( SELECT p.id FROM outbox_parked p FORCE INDEX (outbox_parked_keys) WHERE p.lane = :lane AND
p.topic = :topic AND LENGTH(p.topic) = LENGTH(:topic) AND p.msg_key = :msg_key AND LENGTH(p.msg_key) =
LENGTH(:msg_key) ORDER BY p.id LIMIT 1) AS id, ( SELECT d.id FROM outbox_dead d FORCE INDEX
(outbox_dead_holds) WHERE d.lane = :lane AND d.holds = 1 AND d.topic = :topic AND LENGTH(d.topic) =
LENGTH(:topic) AND d.msg_key = :msg_key AND LENGTH(d.msg_key) = LENGTH(:msg_key) ORDER BY d.id LIMIT 1) AS
hold)

-- heldKeys.arm
(SELECT DISTINCT p.lane, p.topic, p.msg_key, LENGTH(p.topic), LENGTH(p.msg_key) FROM outbox_parked p WHERE
p.lane = :lane AND p.msg_key IS NOT NULL) UNION ALL (SELECT DISTINCT d.lane, d.topic, d.msg_key,
LENGTH(d.topic), LENGTH(d.msg_key) FROM outbox_dead d FORCE INDEX (outbox_dead_holds) WHERE d.lane = :lane AND
d.holds = 1)

-- heldKeys.last


-- highestArchived
SELECT MAX(n.id) AS highest FROM ( SELECT ( SELECT a.id FROM outbox_archive a WHERE a.lane = l.lane ORDER BY
a.lane DESC, a.id DESC LIMIT 1) AS id FROM outbox_lane l) n

-- highestId
SELECT GREATEST( COALESCE((SELECT MAX(l.floor) FROM outbox_lane l), 0), COALESCE((SELECT MAX(o.id) FROM outbox
o WHERE o.id >= :next), 0), COALESCE(( SELECT MAX(n.id) FROM ( SELECT ( SELECT p.id FROM outbox_parked p WHERE
p.lane = l.lane ORDER BY p.lane DESC, p.id DESC LIMIT 1) AS id FROM outbox_lane l) n), 0), COALESCE(( SELECT
MAX(d.id) FROM ( SELECT id FROM outbox_dead ORDER BY dead_id DESC LIMIT :most) d), 0)) AS highest

-- holdLane
SELECT lane FROM outbox_lane WHERE lane = :lane AND owner = :owner AND epoch = :epoch FOR UPDATE

-- holders
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]'
COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox_dead d FORCE
INDEX (PRIMARY) ON d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND d.cluster_id = 0 WHERE d.holds
= 1
-- of several clusters
SELECT d.dead_id, d.lane, d.id, d.topic, d.msg_key FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]'
COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox_dead d FORCE
INDEX (PRIMARY) ON d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND d.cluster_id = 1 WHERE d.holds
= 1

-- insertKeys.look
SELECT a.n FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (n INT PATH '$.n', topic VARCHAR(2040)
PATH '$.topic', dedupe_key VARCHAR(2040) PATH '$.dedupe_key')) a STRAIGHT_JOIN outbox_dedupe d FORCE INDEX
(PRIMARY) ON d.topic = UNHEX(a.topic) AND d.dedupe_key = UNHEX(a.dedupe_key)

-- insertKeys.tuples.head
INSERT IGNORE INTO outbox_dedupe (topic, dedupe_key, message_id, created_at, expires_at) VALUES

-- insertKeys.tuples.tail


-- insertKeys.tuples.tuple
(CONVERT(:topic USING utf8mb4), CONVERT(:dedupe_key USING utf8mb4), :message_id, UTC_TIMESTAMP(6),
UTC_TIMESTAMP(6) + INTERVAL :keep MICROSECOND)

-- insertReceipts.look
SELECT a.n FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (n INT PATH '$.n', consumer
VARCHAR(2040) PATH '$.consumer', message_id VARCHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox_receipt r
FORCE INDEX (PRIMARY) ON r.consumer = UNHEX(a.consumer) AND r.message_id = UNHEX(a.message_id)

-- insertReceipts.tuples.head
INSERT IGNORE INTO outbox_receipt (consumer, message_id, received_at, expires_at) VALUES

-- insertReceipts.tuples.tail


-- insertReceipts.tuples.tuple
(CONVERT(:consumer USING utf8mb4), :message_id, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6) + INTERVAL :keep
MICROSECOND)

-- insertTopic
INSERT INTO outbox_topic (topic, paused, strict, rate_limit, in_flight_cap) VALUES (CONVERT(:topic USING
utf8mb4), :paused, :strict, :rate_limit, :in_flight_cap)

-- laneStates
SELECT lane, floor, CASE WHEN lease_until > UTC_TIMESTAMP(6) THEN owner END AS owner FROM outbox_lane ORDER BY
lane

-- lanesOfOwner
SELECT lane FROM outbox_lane WHERE owner = :owner ORDER BY lane

-- lastDead
SELECT dead_id FROM outbox_dead WHERE dead_id > 0 ORDER BY dead_id DESC LIMIT :limit
-- of several clusters
SELECT dead_id FROM outbox_dead WHERE cluster_id = 1 AND dead_id > 0 ORDER BY dead_id DESC LIMIT :limit

-- layout
SELECT schema_version, lanes, claiming, clusters, cluster_id FROM outbox_meta

-- leaseLane
UPDATE outbox_lane SET takeovers = :takeovers, owner = :owner, epoch = epoch + 1, lease_until =
UTC_TIMESTAMP(6) + INTERVAL :lease MICROSECOND, lease_micros = :lease WHERE lane = :lane

-- leave
DELETE FROM outbox_relay WHERE relay = :relay

-- limits.local


-- limits.read
SELECT @@SESSION.innodb_lock_wait_timeout AS lock_wait, @@SESSION.idle_transaction_timeout AS idle,
@@SESSION.idle_write_transaction_timeout AS idle_write, @@SESSION.max_statement_time AS statement, DATABASE()
AS home

-- limits.write
SET SESSION innodb_lock_wait_timeout = :lock_wait, SESSION idle_transaction_timeout = :idle, SESSION
idle_write_transaction_timeout = :idle_write, SESSION max_statement_time = :statement

-- liveRelays
SELECT relay, sharing, started_at FROM outbox_relay WHERE live_until > UTC_TIMESTAMP(6)

-- lockLane
SELECT lane FROM outbox_lane WHERE lane = :lane FOR UPDATE

-- lockTopic
SELECT CONVERT(topic USING utf8mb4) AS topic, paused, strict, rate_limit, in_flight_cap FROM outbox_topic
WHERE topic = CONVERT(:topic USING utf8mb4) FOR UPDATE

-- look.arm
(SELECT :lane AS lane, EXISTS ( SELECT 1 FROM outbox o FORCE INDEX (PRIMARY) WHERE o.lane = :lane AND o.id >
:after AND o.topic IS NOT NULL) AS ready, EXISTS ( SELECT 1 FROM outbox_parked o FORCE INDEX
(outbox_parked_heads) WHERE o.lane = :lane AND o.due_at <= UTC_TIMESTAMP(6) AND LOCATE(CONCAT(_utf8mb4 X'01',
o.topic, _utf8mb4 X'01'), CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0 AND NOT EXISTS ( SELECT 1 FROM
outbox_parked e FORCE INDEX (outbox_parked_keys) WHERE e.lane = o.lane AND e.topic = o.topic AND
LENGTH(e.topic) = LENGTH(o.topic) AND e.msg_key = o.msg_key AND LENGTH(e.msg_key) = LENGTH(o.msg_key) AND e.id
< o.id) AND NOT EXISTS ( SELECT 1 FROM outbox_dead d FORCE INDEX (outbox_dead_holds) WHERE d.lane = o.lane AND
d.holds = 1 AND d.topic = o.topic AND LENGTH(d.topic) = LENGTH(o.topic) AND d.msg_key = o.msg_key AND
LENGTH(d.msg_key) = LENGTH(o.msg_key) AND d.id < o.id)) AS due, EXISTS ( SELECT 1 FROM outbox_delayed d FORCE
INDEX (outbox_delayed_heads) WHERE d.lane = :lane AND d.due_at <= UTC_TIMESTAMP(6) AND d.topic IS NOT NULL) AS
later)

-- look.last
(SELECT -1 AS lane, COUNT(*) AS ready, 0 AS due, 0 AS later FROM outbox_lane WHERE owner IS NULL OR
lease_until <= UTC_TIMESTAMP(6) OR lease_until > UTC_TIMESTAMP(6) + INTERVAL 2 * lease_micros MICROSECOND)

-- newest
SELECT MAX(o.id) AS newest FROM outbox o WHERE o.id > :above

-- nextArchived
SELECT MAX(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE completed_at > :after
AND completed_at < :to AND lane BETWEEN :first AND :last AND topic = :topic AND LENGTH(topic) = LENGTH(:topic)
ORDER BY completed_at LIMIT :limit) a

-- nextId
SHOW CREATE TABLE outbox_table

-- nextId.modeAsBefore
SET SESSION sql_mode = @outbox_mode

-- nextId.plainMode
SET @outbox_mode = @@SESSION.sql_mode, SESSION sql_mode = ''

-- nextId.waitAsBefore
SET SESSION lock_wait_timeout = @outbox_waits

-- nextId.waitBriefly
SET @outbox_waits = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = 5

-- now
SELECT UTC_TIMESTAMP(6) AS now

-- oldArchive
SELECT MAX(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE completed_at >= :from
AND completed_at <= UTC_TIMESTAMP(6) - INTERVAL :retention MICROSECOND ORDER BY completed_at LIMIT :limit) a
-- of several clusters
SELECT MAX(a.completed_at) AS up_to FROM ( SELECT completed_at FROM outbox_archive WHERE lane BETWEEN 32 AND
63 AND completed_at >= :from AND completed_at <= UTC_TIMESTAMP(6) - INTERVAL :retention MICROSECOND ORDER BY
completed_at LIMIT :limit) a

-- ownLanes
SELECT lane, epoch, floor, suspect_id, suspect_count, takeovers FROM outbox_lane WHERE owner = :owner ORDER BY
lane LIMIT :limit FOR UPDATE SKIP LOCKED

-- parkReady
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) SELECT o.lane, COALESCE(a.parked_as, o.id), 0, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts,
CASE WHEN a.attempts > 0 THEN UTC_TIMESTAMP(6) END, UTC_TIMESTAMP(6) + INTERVAL a.rest MICROSECOND, a.error,
a.history FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id BIGINT
PATH '$.id', message_id CHAR(32) PATH '$.message_id', parked_as BIGINT PATH '$.parked_as', reason VARCHAR(32)
PATH '$.reason', attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest', error MEDIUMTEXT PATH '$.error',
history MEDIUMTEXT PATH '$.history')) a STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND
o.id = a.id AND o.message_id = UNHEX(a.message_id)
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) SELECT o.lane, COALESCE(a.parked_as, o.id), 1, o.message_id, o.topic, o.msg_key, o.headers,
o.content_type, o.payload, o.ref_table, o.ref_id, o.origin, o.not_after, o.created_at, a.reason, a.attempts,
CASE WHEN a.attempts > 0 THEN UTC_TIMESTAMP(6) END, UTC_TIMESTAMP(6) + INTERVAL a.rest MICROSECOND, a.error,
a.history FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id BIGINT
PATH '$.id', message_id CHAR(32) PATH '$.message_id', parked_as BIGINT PATH '$.parked_as', reason VARCHAR(32)
PATH '$.reason', attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest', error MEDIUMTEXT PATH '$.error',
history MEDIUMTEXT PATH '$.history')) a STRAIGHT_JOIN outbox o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND
o.id = a.id AND o.message_id = UNHEX(a.message_id)

-- promote
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM JSON_TABLE(CONVERT(:ids USING
utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$')) a STRAIGHT_JOIN outbox_delayed d FORCE INDEX (PRIMARY) ON d.id
= a.id ORDER BY d.due_at, d.id

-- publishAgain
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT lane, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at FROM outbox_archive WHERE completed_at > :after AND
completed_at <= :up_to AND lane BETWEEN :first AND :last AND topic = :topic AND LENGTH(topic) = LENGTH(:topic)
ORDER BY completed_at, lane, id

-- purgeArchive
DELETE FROM outbox_archive WHERE completed_at >= :from AND completed_at <= :up_to ORDER BY completed_at LIMIT
:limit
-- of several clusters
DELETE FROM outbox_archive WHERE lane BETWEEN 32 AND 63 AND completed_at >= :from AND completed_at <= :up_to
ORDER BY completed_at LIMIT :limit

-- purgeDead
DELETE FROM outbox_dead WHERE died_at <= UTC_TIMESTAMP(6) - INTERVAL :retention MICROSECOND AND holds = 0
ORDER BY died_at LIMIT :limit
-- of several clusters
DELETE FROM outbox_dead WHERE cluster_id = 1 AND died_at <= UTC_TIMESTAMP(6) - INTERVAL :retention MICROSECOND
AND holds = 0 ORDER BY died_at LIMIT :limit

-- purgeKeys.delete
DELETE d FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (topic VARCHAR(2040) PATH '$.topic',
dedupe_key VARCHAR(2040) PATH '$.dedupe_key')) a STRAIGHT_JOIN outbox_dedupe d FORCE INDEX (PRIMARY) ON
d.topic = UNHEX(a.topic) AND d.dedupe_key = UNHEX(a.dedupe_key)

-- purgeKeys.find
SELECT HEX(topic) AS topic, HEX(dedupe_key) AS dedupe_key FROM outbox_dedupe FORCE INDEX
(outbox_dedupe_expires) WHERE expires_at <= UTC_TIMESTAMP(6) ORDER BY expires_at LIMIT :limit

-- purgeKeys.lock
SELECT a.topic, a.dedupe_key FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (topic VARCHAR(2040)
PATH '$.topic', dedupe_key VARCHAR(2040) PATH '$.dedupe_key')) a STRAIGHT_JOIN outbox_dedupe d FORCE INDEX
(PRIMARY) ON d.topic = UNHEX(a.topic) AND d.dedupe_key = UNHEX(a.dedupe_key) WHERE d.expires_at <=
UTC_TIMESTAMP(6) FOR UPDATE SKIP LOCKED

-- purgeReceipts.delete
DELETE r FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (consumer VARCHAR(2040) PATH
'$.consumer', message_id VARCHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox_receipt r FORCE INDEX
(PRIMARY) ON r.consumer = UNHEX(a.consumer) AND r.message_id = UNHEX(a.message_id)

-- purgeReceipts.find
SELECT HEX(consumer) AS consumer, HEX(message_id) AS message_id FROM outbox_receipt FORCE INDEX
(outbox_receipt_expires) WHERE expires_at <= UTC_TIMESTAMP(6) ORDER BY expires_at LIMIT :limit

-- purgeReceipts.lock
SELECT a.consumer, a.message_id FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (consumer
VARCHAR(2040) PATH '$.consumer', message_id VARCHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox_receipt r
FORCE INDEX (PRIMARY) ON r.consumer = UNHEX(a.consumer) AND r.message_id = UNHEX(a.message_id) WHERE
r.expires_at <= UTC_TIMESTAMP(6) FOR UPDATE SKIP LOCKED

-- putArchive
INSERT INTO outbox_archive (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table,
ref_id, origin, not_after, created_at, completed_at) VALUES (:lane, :id, :message_id, :topic, :msg_key,
:headers, :content_type, :payload, :ref_table, :ref_id, :origin, :not_after, :created_at, UTC_TIMESTAMP(6))

-- putDead
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
VALUES (0, :lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table, :ref_id,
:origin, :not_after, :created_at, :reason, :attempts, :error, :history, UTC_TIMESTAMP(6), :holds)
-- of several clusters
INSERT INTO outbox_dead (cluster_id, lane, id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, last_error, history, died_at, holds)
VALUES (1, :lane, :id, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table, :ref_id,
:origin, :not_after, :created_at, :reason, :attempts, :error, :history, UTC_TIMESTAMP(6), :holds)

-- putParked
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) VALUES (:lane, :id, 0, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table,
:ref_id, :origin, :not_after, :created_at, :reason, :attempts, COALESCE(CAST(:first_failed_at AS DATETIME(6)),
CASE WHEN :attempts > 0 THEN UTC_TIMESTAMP(6) END), COALESCE(CAST(:due AS DATETIME(6)), UTC_TIMESTAMP(6) +
INTERVAL :rest MICROSECOND), :error, :history)
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, first_failed_at, due_at, last_error,
history) VALUES (:lane, :id, 1, :message_id, :topic, :msg_key, :headers, :content_type, :payload, :ref_table,
:ref_id, :origin, :not_after, :created_at, :reason, :attempts, COALESCE(CAST(:first_failed_at AS DATETIME(6)),
CASE WHEN :attempts > 0 THEN UTC_TIMESTAMP(6) END), COALESCE(CAST(:due AS DATETIME(6)), UTC_TIMESTAMP(6) +
INTERVAL :rest MICROSECOND), :error, :history)

-- putReady
INSERT INTO outbox (lane, id, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) VALUES (:lane, :id, :message_id, :topic, :msg_key, :headers, :content_type,
:payload, :ref_table, :ref_id, :origin, :not_after, :created_at)

-- raiseNextId
ALTER TABLE outbox_table AUTO_INCREMENT = outbox_next

-- ready.arm
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN COALESCE(LENGTH(o.payload),
0) + COALESCE(LENGTH(o.headers), 0) <= :inline THEN o.headers END AS headers, CASE WHEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) <= :inline THEN o.payload END AS payload, CASE
WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline THEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) END AS weight, CASE WHEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline THEN LENGTH(o.payload) END AS bytes,
o.ref_table, o.ref_id, o.not_after, CASE WHEN o.not_after <= UTC_TIMESTAMP(6) THEN 1 END AS expired FROM
outbox o FORCE INDEX (PRIMARY) WHERE o.lane = :lane AND o.id > :after ORDER BY o.id LIMIT :limit)
-- of several clusters
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN COALESCE(LENGTH(o.payload),
0) + COALESCE(LENGTH(o.headers), 0) <= :inline THEN o.headers END AS headers, CASE WHEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) <= :inline THEN o.payload END AS payload, CASE
WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline THEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) END AS weight, CASE WHEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline THEN LENGTH(o.payload) END AS bytes,
o.ref_table, o.ref_id, o.origin, o.not_after, CASE WHEN o.not_after <= UTC_TIMESTAMP(6) THEN 1 END AS expired
FROM outbox o FORCE INDEX (PRIMARY) WHERE o.lane = :lane AND o.id > :after ORDER BY o.id LIMIT :limit)

-- ready.last


-- readyBodies
SELECT o.lane, o.id, o.payload, o.headers FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS ( lane
INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN outbox o
FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)

-- readyPast.arm
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN COALESCE(LENGTH(o.payload),
0) + COALESCE(LENGTH(o.headers), 0) <= :inline THEN o.headers END AS headers, CASE WHEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) <= :inline THEN o.payload END AS payload, CASE
WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline THEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) END AS weight, CASE WHEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline THEN LENGTH(o.payload) END AS bytes,
o.ref_table, o.ref_id, o.not_after, CASE WHEN o.not_after <= UTC_TIMESTAMP(6) THEN 1 END AS expired FROM
outbox o FORCE INDEX (PRIMARY) WHERE o.lane = :lane AND o.id > :after AND o.id <= :after + :reach AND
LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'), CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
ORDER BY o.id LIMIT :limit)
-- of several clusters
(SELECT o.lane, o.id, o.message_id, o.topic, o.msg_key, o.content_type, CASE WHEN COALESCE(LENGTH(o.payload),
0) + COALESCE(LENGTH(o.headers), 0) <= :inline THEN o.headers END AS headers, CASE WHEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) <= :inline THEN o.payload END AS payload, CASE
WHEN COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline THEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) END AS weight, CASE WHEN
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0) > :inline THEN LENGTH(o.payload) END AS bytes,
o.ref_table, o.ref_id, o.origin, o.not_after, CASE WHEN o.not_after <= UTC_TIMESTAMP(6) THEN 1 END AS expired
FROM outbox o FORCE INDEX (PRIMARY) WHERE o.lane = :lane AND o.id > :after AND o.id <= :after + :reach AND
LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'), CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0
ORDER BY o.id LIMIT :limit)

-- readyPast.last


-- receiptSlots
SELECT s.slot FROM JSON_TABLE(CONVERT(:slots USING utf8mb4), '$[*]' COLUMNS (slot INT PATH '$')) a
STRAIGHT_JOIN outbox_receipt_slot s FORCE INDEX (PRIMARY) ON s.slot = a.slot FOR UPDATE

-- releasable.arm
(SELECT o.lane, o.id FROM outbox_parked o FORCE INDEX (outbox_parked_heads) WHERE o.lane = :lane AND o.due_at
IS NULL AND o.reason = 'TOPIC' AND LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'), CONVERT(:held USING
utf8mb4) COLLATE utf8mb4_bin) = 0 ORDER BY o.id LIMIT :limit)

-- releasable.last


-- replay
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM JSON_TABLE(CONVERT(:rows USING
utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN
outbox_dead d FORCE INDEX (PRIMARY) ON d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND
d.cluster_id = 0 ORDER BY d.dead_id
-- of several clusters
INSERT INTO outbox (lane, message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id,
origin, not_after, created_at) SELECT d.lane, d.message_id, d.topic, d.msg_key, d.headers, d.content_type,
d.payload, d.ref_table, d.ref_id, d.origin, d.not_after, d.created_at FROM JSON_TABLE(CONVERT(:rows USING
utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a STRAIGHT_JOIN
outbox_dead d FORCE INDEX (PRIMARY) ON d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND
d.cluster_id = 1 ORDER BY d.dead_id

-- replayHolders
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, due_at, last_error, history) SELECT
d.lane, d.id, 0, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload, d.ref_table,
d.ref_id, d.origin, d.not_after, d.created_at, 'FAILED', 0, UTC_TIMESTAMP(6), d.last_error, d.history FROM
JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH
'$.message_id')) a STRAIGHT_JOIN outbox_dead d FORCE INDEX (PRIMARY) ON d.dead_id = a.id AND d.message_id =
UNHEX(a.message_id) AND d.cluster_id = 0 WHERE d.holds = 1
-- of several clusters
INSERT INTO outbox_parked (lane, id, cluster_id, message_id, topic, msg_key, headers, content_type, payload,
ref_table, ref_id, origin, not_after, created_at, reason, attempts, due_at, last_error, history) SELECT
d.lane, d.id, 1, d.message_id, d.topic, d.msg_key, d.headers, d.content_type, d.payload, d.ref_table,
d.ref_id, d.origin, d.not_after, d.created_at, 'FAILED', 0, UTC_TIMESTAMP(6), d.last_error, d.history FROM
JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH
'$.message_id')) a STRAIGHT_JOIN outbox_dead d FORCE INDEX (PRIMARY) ON d.dead_id = a.id AND d.message_id =
UNHEX(a.message_id) AND d.cluster_id = 1 WHERE d.holds = 1

-- reschedule
UPDATE JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id BIGINT PATH
'$.id', message_id CHAR(32) PATH '$.message_id', reason VARCHAR(32) PATH '$.reason', attempts INT PATH
'$.attempts', rest BIGINT PATH '$.rest', error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH
'$.history')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND
o.message_id = UNHEX(a.message_id) AND o.cluster_id = 0 SET o.reason = a.reason, o.attempts = a.attempts,
o.first_failed_at = COALESCE(o.first_failed_at, CASE WHEN a.attempts > 0 THEN UTC_TIMESTAMP(6) END), o.due_at
= UTC_TIMESTAMP(6) + INTERVAL a.rest MICROSECOND, o.last_error = COALESCE(a.error, o.last_error), o.history =
a.history
-- of several clusters
UPDATE JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS ( lane INT PATH '$.lane', id BIGINT PATH
'$.id', message_id CHAR(32) PATH '$.message_id', reason VARCHAR(32) PATH '$.reason', attempts INT PATH
'$.attempts', rest BIGINT PATH '$.rest', error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH
'$.history')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND
o.message_id = UNHEX(a.message_id) AND o.cluster_id = 1 SET o.reason = a.reason, o.attempts = a.attempts,
o.first_failed_at = COALESCE(o.first_failed_at, CASE WHEN a.attempts > 0 THEN UTC_TIMESTAMP(6) END), o.due_at
= UTC_TIMESTAMP(6) + INTERVAL a.rest MICROSECOND, o.last_error = COALESCE(a.error, o.last_error), o.history =
a.history

-- restoreSuspect
UPDATE outbox_lane SET settles = settles + 1, suspect_id = CASE WHEN :deaths > 0 THEN suspect_id END,
suspect_count = :deaths WHERE lane = :lane AND owner = :owner AND epoch = :epoch AND suspect_id = :id

-- retakeKey
UPDATE outbox_dedupe SET message_id = :message_id, created_at = UTC_TIMESTAMP(6), expires_at =
UTC_TIMESTAMP(6) + INTERVAL :keep MICROSECOND WHERE topic = CONVERT(:topic USING utf8mb4) AND dedupe_key =
CONVERT(:dedupe_key USING utf8mb4) AND expires_at <= UTC_TIMESTAMP(6)

-- retrying.arm
(SELECT p.message_id, p.topic, p.msg_key, p.attempts, p.due_at, p.last_error FROM outbox_parked p FORCE INDEX
(outbox_parked_heads) WHERE p.lane = :lane AND p.due_at IS NOT NULL AND p.attempts > 0 AND (:only IS NULL OR
(p.topic = :only AND LENGTH(p.topic) = LENGTH(:only))) ORDER BY p.due_at LIMIT :limit)

-- retrying.last


-- suspect
UPDATE outbox_lane SET settles = settles + 1, suspect_count = CASE WHEN EXISTS ( SELECT 1 FROM outbox o WHERE
o.lane = :lane AND o.id = :id AND o.message_id = :message_id) OR EXISTS ( SELECT 1 FROM outbox_parked p WHERE
p.lane = :lane AND p.id = :id AND p.message_id = :message_id) THEN CASE WHEN suspect_id = :id THEN
suspect_count + 1 ELSE 1 END ELSE suspect_count END, suspect_id = CASE WHEN EXISTS ( SELECT 1 FROM outbox o
WHERE o.lane = :lane AND o.id = :id AND o.message_id = :message_id) OR EXISTS ( SELECT 1 FROM outbox_parked p
WHERE p.lane = :lane AND p.id = :id AND p.message_id = :message_id) THEN :id ELSE suspect_id END WHERE lane =
:lane AND owner = :owner AND epoch = :epoch

-- takenArchive
SELECT t.lane, t.id FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (lane INT PATH '$.lane', id
BIGINT PATH '$.id')) a STRAIGHT_JOIN outbox_archive t FORCE INDEX (PRIMARY) ON t.lane = a.lane AND t.id = a.id

-- takenKey
SELECT message_id, CASE WHEN expires_at <= UTC_TIMESTAMP(6) THEN 1 ELSE 0 END AS expired FROM outbox_dedupe
WHERE topic = CONVERT(:topic USING utf8mb4) AND dedupe_key = CONVERT(:dedupe_key USING utf8mb4) FOR UPDATE

-- takenParked
SELECT t.lane, t.id FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (lane INT PATH '$.lane', id
BIGINT PATH '$.id')) a STRAIGHT_JOIN outbox_parked t FORCE INDEX (PRIMARY) ON t.lane = a.lane AND t.id = a.id
AND t.cluster_id = 0
-- of several clusters
SELECT t.lane, t.id FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (lane INT PATH '$.lane', id
BIGINT PATH '$.id')) a STRAIGHT_JOIN outbox_parked t FORCE INDEX (PRIMARY) ON t.lane = a.lane AND t.id = a.id
AND t.cluster_id = 1

-- topics
SELECT CONVERT(topic USING utf8mb4) AS topic, paused, strict, rate_limit, in_flight_cap FROM outbox_topic

-- updateTopic
UPDATE outbox_topic SET paused = :paused, strict = :strict, rate_limit = :rate_limit, in_flight_cap =
:in_flight_cap WHERE topic = CONVERT(:topic USING utf8mb4)

-- wakeHeads
UPDATE JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH
'$.id')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND
o.cluster_id = 0 SET o.due_at = COALESCE(o.due_at, UTC_TIMESTAMP(6))
-- of several clusters
UPDATE JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH
'$.id')) a STRAIGHT_JOIN outbox_parked o FORCE INDEX (PRIMARY) ON o.lane = a.lane AND o.id = a.id AND
o.cluster_id = 1 SET o.due_at = COALESCE(o.due_at, UTC_TIMESTAMP(6))

-- writers
SELECT CAST(trx_id AS CHAR) AS name, CASE WHEN trx_mysql_thread_id = CONNECTION_ID() THEN trx_query END AS own
FROM information_schema.innodb_trx WHERE trx_tables_locked > 0 OR trx_mysql_thread_id = CONNECTION_ID()

-- writers.begin
SELECT lane FROM outbox_lane WHERE lane = 0
