-- name: followers
SELECT o.lane, o.id, o.message_id, CASE WHEN o.due_at IS NULL AND o.reason = 'FOLLOWER'
  {first_of_key} THEN 1 ELSE 0 END AS hit
FROM (
  SELECT p.lane, p.id, p.message_id, p.topic, p.msg_key, p.due_at, p.reason
  FROM {parked} p
  WHERE p.lane BETWEEN :low AND :high
    AND p.id > :after
  ORDER BY p.lane, p.id
  {limit}) o
ORDER BY o.lane, o.id
