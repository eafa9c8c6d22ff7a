-- name: fence  shape: json lanes
UPDATE JSON_TABLE(CONVERT(:lanes USING utf8mb4), '$[*]' COLUMNS (
  lane INT PATH '$.lane', epoch BIGINT PATH '$.epoch', floor BIGINT PATH '$.floor',
  keep INT PATH '$.keep', free INT PATH '$.free')) a
STRAIGHT_JOIN {lane} l FORCE INDEX (PRIMARY)
  ON l.lane = a.lane
SET l.settles = l.settles + 1,
  l.floor = a.floor,
  l.takeovers = l.takeovers * a.keep,
  l.suspect_id = CASE WHEN a.keep = 1 THEN l.suspect_id END,
  l.suspect_count = l.suspect_count * a.keep,
  l.lease_until = CASE WHEN a.free = 1 THEN NULL
    ELSE {now} + INTERVAL :lease MICROSECOND END,
  l.owner = CASE WHEN a.free = 1 THEN NULL ELSE l.owner END
WHERE l.owner = :owner
  AND l.epoch = a.epoch

-- name: deleteReady  shape: json places
-- id IN (list) becomes a full scan when the list is much of the table, and waits for uncommitted
-- rows
DELETE o
FROM {places}
STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
  ON {same}

-- name: deleteParked  shape: json places
DELETE o
FROM {places}
STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
  ON {same} AND o.cluster_id = {cluster}

-- name: deleteAnyParked  shape: json places
DELETE o
FROM {places}
STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
  ON {same}

-- name: archiveReady  shape: json places
INSERT INTO {archive}
  (lane, id, {columns}, completed_at)
SELECT o.lane, o.id, {o.columns}, {now}
FROM {places}
STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
  ON {same}

-- name: archiveParked  shape: json places
INSERT INTO {archive}
  (lane, id, {columns}, completed_at)
SELECT o.lane, o.id, {o.columns}, {now}
FROM {places}
STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
  ON {same} AND o.cluster_id = {cluster}

-- name: takenArchive  shape: together
SELECT t.lane, t.id
FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
STRAIGHT_JOIN {archive} t FORCE INDEX (PRIMARY)
  ON t.lane = a.lane AND t.id = a.id

-- name: behind  shape: together
SELECT o.lane, o.id
FROM {keys}
STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
  ON {same}
WHERE EXISTS (
    SELECT 1
    FROM {parked} e FORCE INDEX ({index parked_keys})
    WHERE e.lane = o.lane
      AND e.topic = o.topic
      AND LENGTH(e.topic) = LENGTH(o.topic)
      AND e.msg_key = o.msg_key
      AND LENGTH(e.msg_key) = LENGTH(o.msg_key)
      AND e.id < o.id)
  OR EXISTS (
    SELECT 1
    FROM {dead} d FORCE INDEX ({index dead_holds})
    WHERE d.lane = o.lane
      AND d.holds = 1
      AND d.topic = o.topic
      AND LENGTH(d.topic) = LENGTH(o.topic)
      AND d.msg_key = o.msg_key
      AND LENGTH(d.msg_key) = LENGTH(o.msg_key)
      AND d.id < o.id)

-- name: parkReady  shape: json rows
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, first_failed_at, due_at, last_error, history)
SELECT o.lane, COALESCE(a.parked_as, o.id), {cluster}, {o.columns},
  a.reason, a.attempts, CASE WHEN a.attempts > 0 THEN {now} END,
  {now} + INTERVAL a.rest MICROSECOND, a.error, a.history
FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (
  lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id',
  parked_as BIGINT PATH '$.parked_as', reason VARCHAR(32) PATH '$.reason',
  attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest',
  error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history')) a
STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
  ON {same}

-- name: takenParked  shape: together
SELECT t.lane, t.id
FROM JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
STRAIGHT_JOIN {parked} t FORCE INDEX (PRIMARY)
  ON t.lane = a.lane AND t.id = a.id AND t.cluster_id = {cluster}

-- name: reschedule  shape: json rows
UPDATE JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (
  lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id',
  reason VARCHAR(32) PATH '$.reason',
  attempts INT PATH '$.attempts', rest BIGINT PATH '$.rest',
  error MEDIUMTEXT PATH '$.error', history MEDIUMTEXT PATH '$.history')) a
STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
  ON {same} AND o.cluster_id = {cluster}
SET o.reason = a.reason,
  o.attempts = a.attempts,
  o.first_failed_at = COALESCE(o.first_failed_at, CASE WHEN a.attempts > 0 THEN {now} END),
  o.due_at = {now} + INTERVAL a.rest MICROSECOND,
  o.last_error = COALESCE(a.error, o.last_error),
  o.history = a.history

-- name: buryReady  shape: json rows
INSERT INTO {dead}
  (cluster_id, lane, id, {columns},
  reason, attempts, last_error, history, died_at, holds)
SELECT {cluster}, o.lane, o.id, {o.columns},
  a.reason, a.attempts, a.error, a.history, {now}, a.holds
FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (
  lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id',
  reason VARCHAR(32) PATH '$.reason',
  attempts INT PATH '$.attempts', error MEDIUMTEXT PATH '$.error',
  history MEDIUMTEXT PATH '$.history', holds INT PATH '$.holds')) a
STRAIGHT_JOIN {outbox} o FORCE INDEX (PRIMARY)
  ON {same}
ORDER BY o.lane, o.id

-- name: buryParked  shape: json rows
INSERT INTO {dead}
  (cluster_id, lane, id, {columns},
  reason, attempts, last_error, history, died_at, holds)
SELECT {cluster}, o.lane, o.id, {o.columns},
  a.reason, a.attempts, a.error, a.history, {now}, a.holds
FROM JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (
  lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id',
  reason VARCHAR(32) PATH '$.reason',
  attempts INT PATH '$.attempts', error MEDIUMTEXT PATH '$.error',
  history MEDIUMTEXT PATH '$.history', holds INT PATH '$.holds')) a
STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
  ON {same} AND o.cluster_id = {cluster}
ORDER BY o.lane, o.id

-- name: heads  shape: union all
(SELECT :n AS n, (
  SELECT p.id
  FROM {parked} p FORCE INDEX ({index parked_keys})
  WHERE p.lane = :lane
    AND p.topic = :topic
    AND LENGTH(p.topic) = LENGTH(:topic)
    AND p.msg_key = :msg_key
    AND LENGTH(p.msg_key) = LENGTH(:msg_key)
  ORDER BY p.id
  LIMIT 1) AS id, (
  SELECT d.id
  FROM {dead} d FORCE INDEX ({index dead_holds})
  WHERE d.lane = :lane
    AND d.holds = 1
    AND d.topic = :topic
    AND LENGTH(d.topic) = LENGTH(:topic)
    AND d.msg_key = :msg_key
    AND LENGTH(d.msg_key) = LENGTH(:msg_key)
  ORDER BY d.id
  LIMIT 1) AS hold)

-- name: wakeHeads  shape: json rows
UPDATE JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (lane INT PATH '$.lane', id BIGINT PATH '$.id')) a
STRAIGHT_JOIN {parked} o FORCE INDEX (PRIMARY)
  ON o.lane = a.lane AND o.id = a.id AND o.cluster_id = {cluster}
SET o.due_at = COALESCE(o.due_at, {now})
