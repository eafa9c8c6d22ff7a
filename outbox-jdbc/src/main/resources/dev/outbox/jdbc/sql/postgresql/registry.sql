-- name: beat
INSERT INTO {relay} AS r (relay, live_until, started_at, sharing)
VALUES (:relay, {now} + CAST(:lifetime AS bigint) * INTERVAL '1 microsecond', {now}, :sharing)
ON CONFLICT (relay) DO UPDATE
SET started_at = CASE WHEN r.live_until > {now} THEN r.started_at ELSE EXCLUDED.started_at END,
  live_until = EXCLUDED.live_until,
  sharing = EXCLUDED.sharing

-- name: forgetRelays
DELETE FROM {relay}
WHERE live_until < {now} - INTERVAL '1 day'

-- name: ages  shape: arrays
SELECT c.lane, (
    SELECT CAST(EXTRACT(EPOCH FROM {now} - o.created_at) * 1000000 AS bigint)
    FROM {outbox} o
    WHERE o.lane = c.lane
      AND o.id > c.after
    ORDER BY o.id
    LIMIT 1) AS ready_age, (
    SELECT CAST(EXTRACT(EPOCH FROM {now} - p.due_at) * 1000000 AS bigint)
    FROM {parked} p
    WHERE p.lane = c.lane
      AND p.due_at <= {now}
    ORDER BY p.due_at
    LIMIT 1) AS due_age
FROM unnest(CAST(:lanes AS integer[]), CAST(:afters AS bigint[])) AS c (lane, after)

-- name: writers  shape: numbered
-- the lock is taken before the id and held until the commit can be seen. Where transactions can be
-- prepared, which changes their virtual number, each real one is a second name. A savepoint has a
-- number of its own
WITH locks AS MATERIALIZED (
  SELECT locktype, database, relation, mode, granted, pid, virtualtransaction, transactionid
  FROM pg_locks),
holders AS (
  SELECT DISTINCT virtualtransaction
  FROM locks
  WHERE locktype = 'relation'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND relation = to_regclass('{outbox}')
    AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    AND granted
    AND pid IS DISTINCT FROM pg_backend_pid()),
numbers AS (
  SELECT h.virtualtransaction, CAST(l.transactionid AS text) AS number
  FROM holders h
  LEFT JOIN locks l
    ON l.virtualtransaction = h.virtualtransaction
    AND l.locktype = 'transactionid'
    AND l.mode = 'ExclusiveLock')
SELECT virtualtransaction AS name, number
FROM numbers
UNION ALL
SELECT 'xid ' || x.number, n.number
FROM numbers x
JOIN numbers n
  ON n.virtualtransaction = x.virtualtransaction
WHERE x.number IS NOT NULL
  AND current_setting('max_prepared_transactions') <> '0'

-- name: writers.running
-- a transaction that runs in this snapshot was visible to no earlier read. The youngest are not
-- listed until one that began after them has ended
SELECT CAST(r.number % 4294967296 AS text) AS number
FROM txid_snapshot_xip(txid_current_snapshot()) AS r (number)

-- name: limits.read
-- the tables may be in a later schema of the search_path
SELECT current_setting('lock_timeout') AS lock_wait,
  current_setting('idle_in_transaction_session_timeout') AS idle,
  current_setting('statement_timeout') AS statement,
  pg_backend_pid() AS session,
  COALESCE((
    SELECT CAST(c.relnamespace AS regnamespace)
    FROM pg_class c
    WHERE c.oid = to_regclass('{lane}')), CAST(current_schema() AS regnamespace)) AS home

-- name: limits.write
SELECT set_config('lock_timeout', :lock_wait, false),
  set_config('idle_in_transaction_session_timeout', :idle, false),
  set_config('statement_timeout', :statement, false)

-- name: limits.local
SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT set_config('lock_timeout', :lock_wait, true),
  set_config('idle_in_transaction_session_timeout', :idle, true),
  set_config('statement_timeout', :statement, true)
