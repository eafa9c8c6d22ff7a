-- name: beat
MERGE INTO {relay} r
USING (VALUES (CAST(:relay AS varchar(255)))) AS b (relay)
  ON r.relay = b.relay
WHEN MATCHED THEN
  UPDATE SET started_at = CASE WHEN r.live_until > {now} THEN r.started_at ELSE {now} END,
    live_until = DATEADD(MICROSECOND, CAST(:lifetime AS bigint), {now}),
    sharing = :sharing
WHEN NOT MATCHED THEN
  INSERT (relay, live_until, started_at, sharing)
  VALUES (b.relay, DATEADD(MICROSECOND, CAST(:lifetime AS bigint), {now}), {now}, :sharing)

-- name: forgetRelays
DELETE FROM {relay}
WHERE live_until < DATEADD(DAY, -1, {now})

-- name: ages  shape: union all
(SELECT CAST(:lane AS integer) AS lane, (
  SELECT DATEDIFF(MICROSECOND, o.created_at, {now})
  FROM {outbox} o
  WHERE o.lane = :lane
    AND o.id > :after
  ORDER BY o.id
  FETCH FIRST ROW ONLY) AS ready_age, (
  SELECT DATEDIFF(MICROSECOND, o.due_at, {now})
  FROM {parked} o
  WHERE o.lane = :lane
    AND o.due_at <= {now}
  ORDER BY o.due_at
  FETCH FIRST ROW ONLY) AS due_age)

-- name: writers  shape: untold
-- the locks name sessions, not transactions

-- name: limits.read
SELECT CAST(LOCK_TIMEOUT() AS integer) AS lock_wait,
  SCHEMA() AS home

-- name: limits.write
SET LOCK_TIMEOUT :lock_wait
