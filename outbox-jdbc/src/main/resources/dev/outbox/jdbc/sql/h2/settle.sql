-- name: fence  shape: arrays
MERGE INTO {lane} l
USING (
  SELECT *
  FROM UNNEST(
    CAST(:lanes AS integer array), CAST(:epochs AS bigint array), CAST(:floors AS bigint array),
    CAST(:keeps AS integer array), CAST(:frees AS integer array)) u (lane, epoch, floor, keep, free)) a
  ON l.lane = a.lane AND l.epoch = a.epoch AND l.owner = :owner
WHEN MATCHED THEN
  UPDATE SET settles = l.settles + 1,
    floor = a.floor,
    takeovers = l.takeovers * a.keep,
    suspect_id = CASE WHEN a.keep = 1 THEN l.suspect_id END,
    suspect_count = l.suspect_count * a.keep,
    lease_until = CASE WHEN a.free = 1 THEN NULL
      ELSE DATEADD(MICROSECOND, CAST(:lease AS bigint), {now}) END,
    owner = CASE WHEN a.free = 1 THEN NULL ELSE l.owner END

-- name: takenArchive  shape: union all
(SELECT t.lane, t.id
FROM {archive} t
WHERE t.lane = :lane
  AND t.id = :id)

-- name: behind  shape: union all
(SELECT o.lane, o.id
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
        AND d.id < o.id)))

-- name: parkReady  shape: each row
INSERT INTO {parked}
  (lane, id, cluster_id, {columns},
  reason, attempts, first_failed_at, due_at, last_error, history)
SELECT o.lane, CAST(:parked_as AS bigint), {cluster}, {o.columns},
  :reason, :attempts, CASE WHEN :attempts > 0 THEN {now} END,
  DATEADD(MICROSECOND, CAST(:rest AS bigint), {now}), :error, :history
FROM {outbox} o
WHERE o.lane = :lane
  AND o.id = :id
  AND o.message_id = :message_id

-- name: takenParked  shape: union all
(SELECT t.lane, t.id
FROM {parked} t
WHERE t.lane = :lane
  AND t.id = :id
  AND t.cluster_id = {cluster})

-- name: reschedule  shape: each row
UPDATE {parked} p
SET reason = :reason,
  attempts = :attempts,
  first_failed_at = COALESCE(p.first_failed_at, CASE WHEN :attempts > 0 THEN {now} END),
  due_at = DATEADD(MICROSECOND, CAST(:rest AS bigint), {now}),
  last_error = COALESCE(:error, p.last_error),
  history = :history
WHERE p.lane = :lane
  AND p.id = :id
  AND p.message_id = :message_id
  AND p.cluster_id = {cluster}

-- name: heads  shape: union all
(SELECT CAST(:n AS integer) AS n, (
  SELECT p.id
  FROM {parked} p
  WHERE p.lane = :lane
    AND p.topic = :topic
    AND p.msg_key = :msg_key
  ORDER BY p.id
  FETCH FIRST ROW ONLY) AS id, (
  SELECT d.id
  FROM {dead} d
  WHERE d.lane = :lane
    AND d.holds = 1
    AND d.topic = :topic
    AND d.msg_key = :msg_key
  ORDER BY d.id
  FETCH FIRST ROW ONLY) AS hold)
