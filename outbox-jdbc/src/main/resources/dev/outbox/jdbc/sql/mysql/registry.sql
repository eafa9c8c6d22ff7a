-- name: beat
INSERT INTO {relay} (relay, live_until, started_at, sharing)
VALUES (:relay, {now} + INTERVAL :lifetime MICROSECOND, {now}, :sharing)
ON DUPLICATE KEY UPDATE
  started_at = CASE WHEN live_until > {now} THEN started_at ELSE VALUES(started_at) END,
  live_until = VALUES(live_until),
  sharing = VALUES(sharing)

-- name: forgetRelays
DELETE FROM {relay}
WHERE live_until < {now} - INTERVAL 1 DAY

-- name: topics
SELECT CONVERT(topic USING utf8mb4) AS topic, paused, strict, rate_limit, in_flight_cap
FROM {topic}

-- name: lockTopic
SELECT CONVERT(topic USING utf8mb4) AS topic, paused, strict, rate_limit, in_flight_cap
FROM {topic}
WHERE topic = CONVERT(:topic USING utf8mb4)
FOR UPDATE

-- name: insertTopic
INSERT INTO {topic} (topic, paused, strict, rate_limit, in_flight_cap)
VALUES (CONVERT(:topic USING utf8mb4), :paused, :strict, :rate_limit, :in_flight_cap)

-- name: updateTopic
UPDATE {topic}
SET paused = :paused,
  strict = :strict,
  rate_limit = :rate_limit,
  in_flight_cap = :in_flight_cap
WHERE topic = CONVERT(:topic USING utf8mb4)

-- name: ages  shape: union all
(SELECT :lane AS lane, (
  SELECT TIMESTAMPDIFF(MICROSECOND, o.created_at, {now})
  FROM {outbox} o FORCE INDEX (PRIMARY)
  WHERE o.lane = :lane
    AND o.id > :after
  ORDER BY o.id
  LIMIT 1) AS ready_age, (
  SELECT TIMESTAMPDIFF(MICROSECOND, o.due_at, {now})
  FROM {parked} o FORCE INDEX ({index parked_heads})
  WHERE o.lane = :lane
    AND o.due_at <= {now}
    AND o.content_type IS NOT NULL
  ORDER BY o.due_at
  LIMIT 1) AS due_age)

-- name: writers  shape: copied, after 200 ms
-- who locks a table to write has a number by then, but takes the message's id a moment before
SELECT CAST(trx_id AS CHAR) AS name,
  CASE WHEN trx_mysql_thread_id = CONNECTION_ID() THEN trx_query END AS own
FROM information_schema.innodb_trx
WHERE trx_tables_locked > 0
  OR trx_mysql_thread_id = CONNECTION_ID()

-- name: writers.begin
SELECT lane
FROM {lane}
WHERE lane = 0

-- name: limits.read
SELECT @@SESSION.innodb_lock_wait_timeout AS lock_wait,
  @@SESSION.wait_timeout AS idle,
  @@SESSION.max_execution_time AS statement,
  DATABASE() AS home

-- name: limits.write
SET SESSION innodb_lock_wait_timeout = :lock_wait,
  SESSION wait_timeout = :idle,
  SESSION max_execution_time = :statement
