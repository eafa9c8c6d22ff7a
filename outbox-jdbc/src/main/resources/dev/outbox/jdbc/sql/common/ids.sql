-- name: highestDelayed
SELECT MAX(d.id) AS highest
FROM {delayed} d
WHERE d.id >= :next

-- name: highestDead
SELECT MAX(d.dead_id) AS highest
FROM {dead} d
WHERE d.dead_id >= :next

-- name: lanesWithSuspects
SELECT l.lane
FROM {lane} l
WHERE l.suspect_id IS NOT NULL
  AND (EXISTS (
      SELECT 1
      FROM {outbox} o
      WHERE o.lane = l.lane
        AND o.id = l.suspect_id)
    OR EXISTS (
      SELECT 1
      FROM {parked} p
      WHERE p.lane = l.lane
        AND p.id = l.suspect_id))

-- name: forgetSuspect
UPDATE {lane}
SET suspect_id = NULL, suspect_count = 0
WHERE lane = :lane

-- name: lockRaising
SELECT m.schema_version
FROM {meta} m
FOR UPDATE

-- name: raiseEpochs
UPDATE {lane} SET epoch = CASE WHEN epoch < {least} THEN {least} ELSE epoch + 1 END, floor = 0, takeovers = 0, suspect_id = NULL, suspect_count = 0
