-- name: liveRelays
SELECT relay, sharing, started_at
FROM {relay}
WHERE live_until > {now}

-- name: leave
DELETE FROM {relay}
WHERE relay = :relay

-- name: topics
SELECT topic, paused, strict, rate_limit, in_flight_cap
FROM {topic}

-- name: lockTopic
SELECT topic, paused, strict, rate_limit, in_flight_cap
FROM {topic}
WHERE topic = :topic
FOR UPDATE

-- name: insertTopic
INSERT INTO {topic} (topic, paused, strict, rate_limit, in_flight_cap)
VALUES (:topic, :paused, :strict, :rate_limit, :in_flight_cap)

-- name: updateTopic
UPDATE {topic}
SET paused = :paused,
  strict = :strict,
  rate_limit = :rate_limit,
  in_flight_cap = :in_flight_cap
WHERE topic = :topic

-- name: counts
SELECT 'ready' AS what, topic, COUNT(*) AS messages FROM (SELECT topic FROM {outbox}{own} {bound}) r GROUP BY topic
UNION ALL
SELECT 'parked', topic, COUNT(*) FROM (SELECT topic FROM {parked}{own} {bound}) p GROUP BY topic
UNION ALL
SELECT 'delayed', topic, COUNT(*) FROM (SELECT topic FROM {delayed}{own} {bound}) d GROUP BY topic
UNION ALL
SELECT 'dead', topic, COUNT(*) FROM (SELECT topic FROM {dead}{own} {bound}) x GROUP BY topic

-- name: laneStates
SELECT lane, floor, CASE WHEN lease_until > {now} THEN owner END AS owner
FROM {lane}
ORDER BY lane

-- name: layout
SELECT schema_version, lanes, claiming, clusters, cluster_id
FROM {meta}

-- name: now
SELECT {now} AS now
