-- name: nextId  shape: shown
-- MySQL's information_schema tells a number that is up to a day old
SHOW CREATE TABLE {table}

-- name: nextId.plainMode
-- in the modes ANSI and ORACLE the options of a table are not shown
SET @outbox_mode = @@SESSION.sql_mode, SESSION sql_mode = ''

-- name: nextId.modeAsBefore
SET SESSION sql_mode = @outbox_mode

-- name: nextId.waitBriefly
SET @outbox_waits = @@SESSION.lock_wait_timeout, SESSION lock_wait_timeout = 5

-- name: nextId.waitAsBefore
SET SESSION lock_wait_timeout = @outbox_waits

-- name: highestId
-- the last of each lane by its index: a condition on the id would read all of the lane
SELECT GREATEST(
  COALESCE((SELECT MAX(l.floor) FROM {lane} l), 0),
  COALESCE((SELECT MAX(o.id) FROM {outbox} o WHERE o.id >= :next), 0),
  COALESCE((
    SELECT MAX(n.id)
    FROM (
      SELECT (
        SELECT p.id
        FROM {parked} p
        WHERE p.lane = l.lane
        ORDER BY p.lane DESC, p.id DESC
        LIMIT 1) AS id
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
    SELECT a.id
    FROM {archive} a
    WHERE a.lane = l.lane
    ORDER BY a.lane DESC, a.id DESC
    LIMIT 1) AS id
  FROM {lane} l) n

-- name: raiseNextId
ALTER TABLE {table} AUTO_INCREMENT = {next}
