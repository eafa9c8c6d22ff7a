-- fragment: same
o.lane = :lane
  AND o.id = ANY(a.ids)
  AND uuid_send(o.message_id) = substr(a.messages, 16 * width_bucket(o.id, a.ids) - 15, 16)

-- fragment: rows
(SELECT CAST(:ids AS bigint[]) AS ids, CAST(:messages AS bytea) AS messages) a

-- fragment: first_of_key
AND NOT EXISTS (
    SELECT 1
    FROM {parked} e
    WHERE e.lane = p.lane
      AND e.topic = p.topic
      AND e.msg_key = p.msg_key
      AND e.id < p.id)
  AND NOT EXISTS (
    SELECT 1
    FROM {dead} d
    WHERE d.lane = p.lane
      AND d.holds = 1
      AND d.topic = p.topic
      AND d.msg_key = p.msg_key
      AND d.id < p.id)

-- fragment: weight
COALESCE(octet_length(o.payload), 0) + COALESCE(octet_length(o.headers), 0)

-- fragment: any_key
(CAST(:msg_key AS text) IS NULL OR msg_key = CAST(:msg_key AS text))

-- fragment: narrowed
AND (CAST(:reason AS text) IS NULL OR reason = CAST(:reason AS text))
  AND (CAST(:older AS bigint) IS NULL
    OR died_at <= {now} - CAST(:older AS bigint) * INTERVAL '1 microsecond')
  AND (CAST(:error AS text) IS NULL
    OR strpos(lower(last_error), lower(CAST(:error AS text))) > 0)
  AND (CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint))
