-- name: nextId  shape: sequence
SELECT CASE WHEN is_called THEN last_value + 1 ELSE last_value END AS next
FROM {sequence}

-- name: nextId.name
SELECT s.name, CASE WHEN has_sequence_privilege(s.name, 'SELECT') THEN 1 ELSE 0 END AS readable
FROM (SELECT pg_get_serial_sequence('{table}', '{column}') AS name) s

-- name: highestId
SELECT GREATEST(
  COALESCE((SELECT MAX(l.floor) FROM {lane} l), 0),
  COALESCE((
    SELECT MAX(n.id)
    FROM (
      SELECT (
        SELECT MAX(o.id)
        FROM {outbox} o
        WHERE o.lane = l.lane
          AND o.id >= CAST(:next AS bigint)) AS id
      FROM {lane} l) n), 0),
  COALESCE((
    SELECT MAX(n.id)
    FROM (
      SELECT (
        SELECT MAX(p.id)
        FROM {parked} p
        WHERE p.lane = l.lane
          AND p.id >= CAST(:next AS bigint)) AS id
      FROM {lane} l) n), 0),
  COALESCE((
    SELECT MAX(d.id)
    FROM (
      SELECT id
      FROM {dead}
      ORDER BY dead_id DESC
      LIMIT :most) d), 0)) AS highest

-- name: highestArchived
SELECT MAX(n.id) AS highest
FROM (
  SELECT (
    SELECT MAX(a.id)
    FROM {archive} a
    WHERE a.lane = l.lane
      AND a.id >= CAST(:next AS bigint)) AS id
  FROM {lane} l) n

-- name: raiseNextId
SELECT setval('{sequence}', GREATEST({next}, last_value + 1), false) FROM {sequence}
