-- name: fence  shape: query
-- Locked in order of lane before any is changed. A lock is noted in the row, a change makes a
-- version of it: beside an old snapshot none of them goes, and who reads a lane's row walks past all
-- of them. So only what is due is changed.
WITH mine AS MATERIALIZED (
  SELECT l.lane, a.floor, a.keep, a.free,
    a.due = 1 OR a.keep = 0 AND (l.takeovers > 0 OR l.suspect_id IS NOT NULL) AS changes
  FROM unnest(
      CAST(:lanes AS integer[]), CAST(:epochs AS bigint[]), CAST(:floors AS bigint[]),
      CAST(:keeps AS integer[]), CAST(:frees AS integer[]), CAST(:dues AS integer[]))
    AS a (lane, epoch, floor, keep, free, due)
  JOIN {lane} l
    ON l.lane = a.lane AND l.epoch = a.epoch
  WHERE l.owner = :owner
  ORDER BY l.lane
  FOR UPDATE OF l),
changed AS (
  UPDATE {lane} l
  SET settles = l.settles + 1,
    floor = m.floor,
    takeovers = l.takeovers * m.keep,
    suspect_id = CASE WHEN m.keep = 1 THEN l.suspect_id END,
    suspect_count = l.suspect_count * m.keep,
    lease_until = CASE WHEN m.free = 1 THEN NULL
      ELSE {now} + CAST(:lease AS bigint) * INTERVAL '1 microsecond' END,
    owner = CASE WHEN m.free = 1 THEN NULL ELSE l.owner END
  FROM mine m
  WHERE l.lane = m.lane
    AND m.changes)
SELECT lane
FROM mine

-- name: fence.deleting
-- For one lane whose messages were all delivered, and that is kept.
WITH mine AS MATERIALIZED (
  SELECT l.lane, :due = 1 OR l.takeovers > 0 OR l.suspect_id IS NOT NULL AS changes
  FROM {lane} l
  WHERE l.lane = :lane AND l.epoch = :epoch AND l.owner = :owner
  FOR UPDATE),
changed AS (
  UPDATE {lane} l
  SET settles = l.settles + 1, floor = :floor, takeovers = 0, suspect_id = NULL, suspect_count = 0,
    lease_until = {now} + CAST(:lease AS bigint) * INTERVAL '1 microsecond'
  FROM mine m
  WHERE l.lane = m.lane AND m.changes)
DELETE FROM {outbox} o
USING {rows}
WHERE {same}
  AND EXISTS (SELECT 1 FROM mine)

-- name: deleteReady  shape: lane array
DELETE FROM {outbox} o
USING {rows}
WHERE {same}

-- name: deleteParked  shape: lane array
DELETE FROM {parked} o
USING {rows}
WHERE {same}
  AND o.cluster_id = {cluster}

-- name: deleteAnyParked  shape: lane array
DELETE FROM {parked} o
USING {rows}
WHERE {same}

-- name: archiveReady  shape: lane array
INSERT INTO {archive}
  (lane, id, {columns}, completed_at)
SELECT o.lane, o.id, {o.columns}, {now}
FROM {rows}
JOIN {outbox} o
  ON {same}

-- name: archiveParked  shape: lane array
INSERT INTO {archive}
  (lane, id, {columns}, completed_at)
SELECT o.lane, o.id, {o.columns}, {now}
FROM {rows}
JOIN {parked} o
  ON {same}
  AND o.cluster_id = {cluster}

-- name: takenArchive  shape: together
SELECT t.lane, t.id
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint)
JOIN {archive} t
  ON t.lane = a.lane AND t.id = a.id

-- name: behind  shape: together
SELECT o.lane, o.id
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint, message_id uuid)
JOIN {outbox} o
  ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id
WHERE EXISTS (
    SELECT 1
    FROM {parked} e
    WHERE e.lane = o.lane
      AND e.topic = o.topic
      AND e.msg_key = o.msg_key
      AND e.id < o.id)
  OR EXISTS (
    SELECT 1
    FROM {dead} d
    WHERE d.lane = o.lane
      AND d.holds = 1
      AND d.topic = o.topic
      AND d.msg_key = o.msg_key
      AND d.id < o.id)

-- name: parkReady  shape: json rows
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, first_failed_at, due_at, last_error, history)
SELECT o.lane, COALESCE(a.parked_as, o.id), {cluster}, {o.columns},
  a.reason, a.attempts, CASE WHEN a.attempts > 0 THEN {now} END,
  {now} + a.rest * INTERVAL '1 microsecond', a.error, a.history
FROM jsonb_to_recordset(CAST(:rows AS jsonb))
  AS a (lane integer, id bigint, message_id uuid, parked_as bigint, reason text, attempts integer, rest bigint, error text, history text)
JOIN {outbox} o
  ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id

-- name: takenParked  shape: together
SELECT t.lane, t.id
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS a (lane integer, id bigint)
JOIN {parked} t
  ON t.lane = a.lane AND t.id = a.id AND t.cluster_id = {cluster}

-- name: reschedule  shape: json rows
UPDATE {parked} p
SET reason = a.reason,
  attempts = a.attempts,
  first_failed_at = COALESCE(p.first_failed_at, CASE WHEN a.attempts > 0 THEN {now} END),
  due_at = {now} + a.rest * INTERVAL '1 microsecond',
  last_error = COALESCE(a.error, p.last_error),
  history = a.history
FROM jsonb_to_recordset(CAST(:rows AS jsonb))
  AS a (lane integer, id bigint, message_id uuid, reason text, attempts integer, rest bigint, error text, history text)
WHERE p.lane = a.lane
  AND p.id = a.id
  AND p.message_id = a.message_id
  AND p.cluster_id = {cluster}

-- name: buryReady  shape: json rows
INSERT INTO {dead}
  (cluster_id, lane, id, {columns},
  reason, attempts, last_error, history, died_at, holds)
SELECT {cluster}, o.lane, o.id, {o.columns},
  a.reason, a.attempts, a.error, a.history, {now}, a.holds
FROM jsonb_to_recordset(CAST(:rows AS jsonb))
  AS a (lane integer, id bigint, message_id uuid, reason text, attempts integer, error text, history text, holds smallint)
JOIN {outbox} o
  ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id
ORDER BY o.lane, o.id

-- name: buryParked  shape: json rows
INSERT INTO {dead}
  (cluster_id, lane, id, {columns},
  reason, attempts, last_error, history, died_at, holds)
SELECT {cluster}, o.lane, o.id, {o.columns},
  a.reason, a.attempts, a.error, a.history, {now}, a.holds
FROM jsonb_to_recordset(CAST(:rows AS jsonb))
  AS a (lane integer, id bigint, message_id uuid, reason text, attempts integer, error text, history text, holds smallint)
JOIN {parked} o
  ON o.lane = a.lane AND o.id = a.id AND o.message_id = a.message_id AND o.cluster_id = {cluster}
ORDER BY o.lane, o.id

-- name: heads  shape: together
SELECT k.n, h.id, (
  SELECT d.id
  FROM {dead} d
  WHERE d.lane = k.lane
    AND d.holds = 1
    AND d.topic = k.topic
    AND d.msg_key = k.msg_key
  ORDER BY d.id
  LIMIT 1) AS hold
FROM jsonb_to_recordset(CAST(:keys AS jsonb)) AS k (n integer, lane integer, topic text, msg_key text)
LEFT JOIN LATERAL (
  SELECT p.id
  FROM {parked} p
  WHERE p.lane = k.lane
    AND p.topic = k.topic
    AND p.msg_key = k.msg_key
  ORDER BY p.id
  LIMIT 1) h
  ON true

-- name: wakeHeads  shape: lane array
UPDATE {parked}
SET due_at = {now}
WHERE lane = :lane
  AND id = ANY(CAST(:ids AS bigint[]))
  AND cluster_id = {cluster}
  AND due_at IS NULL
