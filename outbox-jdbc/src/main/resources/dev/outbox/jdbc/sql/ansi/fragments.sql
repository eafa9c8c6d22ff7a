-- fragment: limit
FETCH FIRST :limit ROWS ONLY

-- fragment: bound
FETCH FIRST :bound ROWS ONLY

-- fragment: first_of_key
AND NOT EXISTS (
    SELECT 1
    FROM {parked} e
    WHERE e.lane = o.lane
      AND e.topic = o.topic
      AND e.msg_key = o.msg_key
      AND e.id < o.id)
  AND NOT EXISTS (
    SELECT 1
    FROM {dead} d
    WHERE d.lane = o.lane
      AND d.holds = 1
      AND d.topic = o.topic
      AND d.msg_key = o.msg_key
      AND d.id < o.id)
