-- fragment: weight
COALESCE(OCTET_LENGTH(o.payload), 0) + COALESCE(OCTET_LENGTH(o.headers), 0)

-- fragment: full_weight
{weight} + COALESCE(OCTET_LENGTH(o.history), 0)

-- fragment: not_held
LOCATE(CHAR(1) || o.topic || CHAR(1), CAST(:held AS varchar)) = 0

-- fragment: failing
DATEDIFF(MICROSECOND, o.first_failed_at, {now})

-- fragment: any_key
(CAST(:msg_key AS varchar) IS NULL OR msg_key = CAST(:msg_key AS varchar))

-- fragment: narrowed
AND (CAST(:reason AS varchar) IS NULL OR reason = CAST(:reason AS varchar))
  AND (CAST(:older AS bigint) IS NULL OR died_at <= DATEADD(MICROSECOND, -CAST(:older AS bigint), {now}))
  AND (CAST(:error AS varchar) IS NULL OR LOCATE(LOWER(CAST(:error AS varchar)), LOWER(last_error)) > 0)
  AND (CAST(:up_to AS bigint) IS NULL OR dead_id <= CAST(:up_to AS bigint))
