-- what is too large for a record stays: 1000000 is a little less than max.request.size
DELETE FROM outbox WHERE created_at < now() - interval '1 day'
  AND coalesce(octet_length(payload), 0) + coalesce(octet_length(headers), 0) < 1000000;
