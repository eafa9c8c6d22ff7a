-- fragment: places
JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (
  lane INT PATH '$[0]', id BIGINT PATH '$[1]', message_id CHAR(32) PATH '$[2]')) a

-- fragment: keys
JSON_TABLE(CONVERT(:keys USING utf8mb4), '$[*]' COLUMNS (
  lane INT PATH '$.lane', id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a

-- fragment: same
o.lane = a.lane AND o.id = a.id AND o.message_id = UNHEX(a.message_id)

-- fragment: dead_rows
JSON_TABLE(CONVERT(:rows USING utf8mb4), '$[*]' COLUMNS (id BIGINT PATH '$.id', message_id CHAR(32) PATH '$.message_id')) a

-- fragment: same_dead
d.dead_id = a.id AND d.message_id = UNHEX(a.message_id) AND d.cluster_id = {cluster}

-- fragment: weight
COALESCE(LENGTH(o.payload), 0) + COALESCE(LENGTH(o.headers), 0)

-- fragment: full_weight
{weight} + COALESCE(LENGTH(o.history), 0)

-- fragment: not_held
LOCATE(CONCAT(_utf8mb4 X'01', o.topic, _utf8mb4 X'01'),
  CONVERT(:held USING utf8mb4) COLLATE utf8mb4_bin) = 0

-- fragment: same_topic_and_key
d.topic = o.topic
      AND LENGTH(d.topic) = LENGTH(o.topic)
      AND d.msg_key = o.msg_key
      AND LENGTH(d.msg_key) = LENGTH(o.msg_key)

-- fragment: first_of_key
AND NOT EXISTS (
    SELECT 1
    FROM {parked} e FORCE INDEX ({index parked_keys})
    WHERE e.lane = o.lane
      AND e.topic = o.topic
      AND LENGTH(e.topic) = LENGTH(o.topic)
      AND e.msg_key = o.msg_key
      AND LENGTH(e.msg_key) = LENGTH(o.msg_key)
      AND e.id < o.id)
  AND NOT EXISTS (
    SELECT 1
    FROM {dead} d FORCE INDEX ({index dead_holds})
    WHERE d.lane = o.lane
      AND d.holds = 1
      AND {same_topic_and_key}
      AND d.id < o.id)

-- fragment: any_key
(:msg_key IS NULL OR (msg_key = :msg_key AND LENGTH(msg_key) = LENGTH(:msg_key)))

-- fragment: narrowed
AND (:reason IS NULL OR reason = :reason)
  AND (:older IS NULL OR died_at <= {now} - INTERVAL :older MICROSECOND)
  AND (:error IS NULL OR LOCATE(LOWER(CONVERT(:error USING utf8mb4)), LOWER(last_error)) > 0)
  AND (:up_to IS NULL OR dead_id <= :up_to)

-- fragment: of_topic
topic = :topic
  AND LENGTH(topic) = LENGTH(:topic)

-- fragment: of_key
{of_topic}
  AND msg_key = :msg_key
  AND LENGTH(msg_key) = LENGTH(:msg_key)
