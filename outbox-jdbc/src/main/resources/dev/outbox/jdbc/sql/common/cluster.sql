-- fragment: parked.highest
o.id

-- fragment: parked.order
o.id

-- fragment: parked.only

-- fragment: parked.before
AND d.id < o.id

-- fragment: ready.highest
o.id

-- fragment: ready.order
o.id

-- fragment: ready.only

-- fragment: ready.before
AND d.id < o.id

-- fragment: delayed.highest
-- It is computed, or it would be looked for from the end of all lanes.
o.id + 0

-- fragment: delayed.order
o.due_at, o.id

-- fragment: delayed.only
AND o.due_at <= {now}

-- fragment: delayed.before
-- They are promoted to ids of their own: behind all that is dead.

-- fragment: open
-- Nobody is known to have taken the message over, and it stands behind no dead letter that holds its
-- key.
{only}
  AND NOT EXISTS (
    SELECT 1
    FROM {takeover} t
    WHERE t.lane = o.lane
      AND t.id = o.id
      AND t.later = {later}
      AND t.message_id = o.message_id)
  AND NOT EXISTS (
    SELECT 1
    FROM {dead} d
    WHERE d.lane = o.lane
      AND d.holds = 1
      AND {same_topic_and_key}
      {before})

-- name: beats
SELECT cluster_id, beat, standing, since_beat, seen, beaten_at, lanes, clusters
FROM {beat}

-- name: standing
SELECT standing
FROM {beat}
WHERE cluster_id = {cluster}
ORDER BY beat

-- name: insertBeat
INSERT INTO {beat} (cluster_id, beat, standing, since_beat, seen, beaten_at, lanes, clusters)
VALUES ({cluster}, :beat, :standing, :since, :seen, :at, :lanes, :clusters)

-- name: deleteBeats
DELETE FROM {beat}
WHERE cluster_id = {cluster}
  AND beat < :beat

-- name: lockLanes
SELECT lane, CASE WHEN owner IS NOT NULL AND lease_until > {now} THEN 1 ELSE 0 END AS leased
FROM {lane}
ORDER BY lane
FOR UPDATE

-- name: freeLanes
UPDATE {lane}
SET owner = NULL, lease_until = NULL
WHERE owner IS NOT NULL

-- names: parked.toTake, ready.toTake, delayed.toTake
SELECT o.id
FROM {source} o
WHERE o.lane = :lane
  {open}
ORDER BY {order}
{limit}

-- names: parked.last, ready.last, delayed.last
SELECT MAX({highest}) AS id
FROM {source} o
WHERE o.lane = :lane
  {only}

-- names: parked.note, ready.note, delayed.note
INSERT INTO {takeover} (lane, id, later, message_id, cluster_id, batch, taken_at)
SELECT o.lane, o.id, {later}, o.message_id, {cluster}, CAST(:batch AS DECIMAL(19)), {now}
FROM {source} o
WHERE o.lane = :lane
  AND o.id <= :upTo
  {open}
ORDER BY {order}
{limit}

-- names: parked.noteOne, ready.noteOne, delayed.noteOne
INSERT INTO {takeover} (lane, id, later, message_id, cluster_id, batch, taken_at)
SELECT o.lane, o.id, {later}, o.message_id, {cluster}, CAST(:batch AS DECIMAL(19)), {now}
FROM {source} o
WHERE o.lane = :lane
  AND o.id = :id
  {open}

-- name: lastBatch
SELECT MAX(batch) AS batch
FROM {takeover}
WHERE cluster_id = {cluster}

-- name: ofBatch
SELECT lane, id, message_id
FROM {takeover}
WHERE cluster_id = {cluster}
  AND batch = :batch
ORDER BY id

-- names: parked.take, ready.take, delayed.take
INSERT INTO {outbox} (lane, {columns})
SELECT o.lane + :shift, {o.columns}
FROM {takeover} t
JOIN {source} o
  ON o.lane = t.lane AND o.id = t.id AND o.message_id = t.message_id
WHERE t.cluster_id = {cluster}
  AND t.batch = :batch
ORDER BY {order}
