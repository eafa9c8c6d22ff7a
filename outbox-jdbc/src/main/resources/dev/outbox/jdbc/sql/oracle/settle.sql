-- name: fence  shape: each lane
UPDATE {lane}
SET settles = settles + 1,
  floor = :floor,
  takeovers = takeovers * :keep,
  suspect_id = CASE WHEN :keep = 1 THEN suspect_id END,
  suspect_count = suspect_count * :keep,
  lease_until = CASE WHEN :free = 1 THEN NULL
    ELSE {now} + NUMTODSINTERVAL(:lease * 0.000001, 'SECOND') END,
  owner = CASE WHEN :free = 1 THEN NULL ELSE owner END
WHERE lane = :lane
  AND owner = :owner
  AND epoch = :epoch

-- name: holdLane
-- no session setting limits a lock wait, and WAIT takes no bound value
SELECT lane
FROM {lane}
WHERE lane = :lane
  AND owner = :owner
  AND epoch = :epoch
FOR UPDATE WAIT 5

-- name: lockLane
SELECT lane
FROM {lane}
WHERE lane = :lane
FOR UPDATE WAIT 5

-- name: takenArchive  shape: union all
SELECT t.lane, t.id
FROM {archive} t
WHERE t.lane = :lane
  AND t.id = :id

-- name: behind  shape: union all
SELECT o.lane, o.id
FROM {outbox} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id
  AND (EXISTS (
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
        AND d.id < o.id))

-- name: parkReady  shape: each row
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, first_failed_at, due_at, last_error, history)
SELECT o.lane, :parked_as, {cluster}, {o.columns},
  :reason, :attempts, CASE WHEN :attempts > 0 THEN {now} END,
  {now} + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND'), :error, :history
FROM {outbox} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id

-- name: takenParked  shape: union all
SELECT t.lane, t.id
FROM {parked} t
WHERE t.lane = :lane
  AND t.id = :id
  AND t.cluster_id = {cluster}

-- name: reschedule  shape: each row
-- COALESCE takes its type from the first value, and a CLOB does not fit into a string
UPDATE {parked} p
SET reason = :reason,
  attempts = :attempts,
  first_failed_at = COALESCE(p.first_failed_at, CASE WHEN :attempts > 0 THEN {now} END),
  due_at = {now} + NUMTODSINTERVAL(:rest * 0.000001, 'SECOND'),
  last_error = COALESCE(TO_CLOB(:error), p.last_error),
  history = :history
WHERE p.lane = :lane
  AND p.id = :id
  AND p.message_id = :message_id
  AND p.cluster_id = {cluster}

-- name: heads  shape: union all
SELECT CAST(:n AS NUMBER(10)) AS n, (
  SELECT p.id
  FROM {parked} p
  WHERE p.lane = :lane
    AND p.topic = :topic
    AND p.msg_key = :msg_key
  ORDER BY p.id
  FETCH FIRST 1 ROW ONLY) AS id, (
  SELECT d.id
  FROM {dead} d
  WHERE d.lane = :lane
    AND d.holds = 1
    AND d.topic = :topic
    AND d.msg_key = :msg_key
  ORDER BY d.id
  FETCH FIRST 1 ROW ONLY) AS hold
FROM DUAL
