-- name: highestArchived
SELECT MAX(n.id) AS highest
FROM (
  SELECT (
    SELECT MAX(a.id)
    FROM {archive} a
    WHERE a.lane = l.lane
      AND a.id >= :next) AS id
  FROM {lane} l) n
