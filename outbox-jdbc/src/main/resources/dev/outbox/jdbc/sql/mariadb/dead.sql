-- name: oldArchive
-- without the "topic IS NOT NULL" of MySQL, whose reason stands at look
SELECT MAX(a.completed_at) AS up_to
FROM (
  SELECT completed_at
  FROM {archive}
  WHERE {ours}completed_at >= :from
    AND completed_at <= {now} - INTERVAL :retention MICROSECOND
  ORDER BY completed_at
  LIMIT :limit) a
