-- fragment: columns
-- Those of a message, wherever it stands; {o.columns} are those of a table o.
message_id, topic, msg_key, headers, content_type, payload, ref_table, ref_id, origin, not_after, created_at

-- fragment: same_topic_and_key
d.topic = o.topic
      AND d.msg_key = o.msg_key

-- fragment: limit
LIMIT :limit

-- fragment: bound
LIMIT :bound

-- fragment: parked.source
{parked}

-- fragment: parked.later
0

-- fragment: ready.source
{outbox}

-- fragment: ready.later
0

-- fragment: delayed.source
{delayed}

-- fragment: delayed.later
1
