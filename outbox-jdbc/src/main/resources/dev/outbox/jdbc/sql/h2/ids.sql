-- name: nextId  shape: told
SELECT c.identity_base AS next
FROM information_schema.columns c
WHERE c.table_schema = COALESCE(UPPER(CAST(:schema AS varchar)), CURRENT_SCHEMA)
  AND UPPER(c.table_name) = UPPER(:name)
  AND UPPER(c.column_name) = UPPER('{column}')

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
          AND o.id >= :next) AS id
      FROM {lane} l) n), 0),
  COALESCE((
    SELECT MAX(n.id)
    FROM (
      SELECT (
        SELECT MAX(p.id)
        FROM {parked} p
        WHERE p.lane = l.lane
          AND p.id >= :next) AS id
      FROM {lane} l) n), 0),
  COALESCE((
    SELECT MAX(d.id)
    FROM (
      SELECT id
      FROM {dead}
      ORDER BY dead_id DESC
      FETCH FIRST :most ROWS ONLY) d), 0)) AS highest

-- name: raiseNextId
ALTER TABLE {table} ALTER COLUMN {column} RESTART WITH {next}
