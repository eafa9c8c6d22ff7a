-- name: beat
MERGE INTO {relay} r
USING (SELECT CAST(:relay AS VARCHAR2(255 CHAR)) AS relay FROM DUAL) b
  ON (r.relay = b.relay)
WHEN MATCHED THEN
  UPDATE SET started_at = CASE WHEN live_until > {now} THEN started_at ELSE {now} END,
    live_until = {now} + NUMTODSINTERVAL(:lifetime * 0.000001, 'SECOND'),
    sharing = :sharing
WHEN NOT MATCHED THEN
  INSERT (relay, live_until, started_at, sharing)
  VALUES (b.relay, {now} + NUMTODSINTERVAL(:lifetime * 0.000001, 'SECOND'), {now}, :sharing)

-- name: forgetRelays
DELETE FROM {relay}
WHERE live_until < {now} - INTERVAL '1' DAY

-- name: lockTopic
SELECT topic, paused, strict, rate_limit, in_flight_cap
FROM {topic}
WHERE topic = :topic
FOR UPDATE WAIT 5

-- name: ages  shape: union all
SELECT CAST(:lane AS NUMBER(10)) AS lane, (
  SELECT /*+ INDEX(o (lane id)) */ EXTRACT(DAY FROM {now} - o.created_at) * 86400000000
    + EXTRACT(HOUR FROM {now} - o.created_at) * 3600000000
    + EXTRACT(MINUTE FROM {now} - o.created_at) * 60000000
    + EXTRACT(SECOND FROM {now} - o.created_at) * 1000000
  FROM {outbox} o
  WHERE o.lane = :lane
    AND o.id > :after
  ORDER BY o.id
  FETCH FIRST 1 ROW ONLY) AS ready_age, (
  SELECT /*+ INDEX(o (lane due_at reason id topic)) */ EXTRACT(DAY FROM {now} - o.due_at) * 86400000000
    + EXTRACT(HOUR FROM {now} - o.due_at) * 3600000000
    + EXTRACT(MINUTE FROM {now} - o.due_at) * 60000000
    + EXTRACT(SECOND FROM {now} - o.due_at) * 1000000
  FROM {parked} o
  WHERE o.lane = :lane
    AND o.due_at <= {now}
  ORDER BY o.due_at
  FETCH FIRST 1 ROW ONLY) AS due_age
FROM DUAL

-- name: writers  shape: told, after 200 ms
-- a transaction that has changed something keeps its number until it ends
SELECT l.inst_id || '.' || l.xidusn || '.' || l.xidslot || '.' || l.xidsqn AS name
FROM gv$locked_object l
JOIN all_objects o
  ON o.object_id = l.object_id
WHERE o.object_type = 'TABLE'
  AND o.owner || '.' || o.object_name = CASE WHEN INSTR('{outbox}', '.') > 0 THEN UPPER('{outbox}')
    ELSE SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') || '.' || UPPER('{outbox}') END
  AND l.locked_mode >= 3
  AND NOT (l.inst_id = SYS_CONTEXT('USERENV', 'INSTANCE')
    AND l.session_id = SYS_CONTEXT('USERENV', 'SID'))

-- name: limits.read
-- no limit of a session can be set by the session: the profile and MAX_IDLE_BLOCKER_TIME are the
-- administrator's
SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') AS home FROM DUAL

-- name: limits.write
SELECT 0 AS nothing FROM DUAL

-- name: now
SELECT {now} AS now
FROM DUAL
