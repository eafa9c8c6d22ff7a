-- name: ownLanes  shape: limited
SELECT lane, epoch, floor, suspect_id, suspect_count, takeovers
FROM {lane}
WHERE owner = :owner
ORDER BY lane
LIMIT :limit
FOR UPDATE SKIP LOCKED

-- name: lanesOfOwner
SELECT lane
FROM {lane}
WHERE owner = :owner
ORDER BY lane

-- fragment: ready.past

-- fragment: readyPast.past
AND o.id <= :after + :reach
AND {not_held}
