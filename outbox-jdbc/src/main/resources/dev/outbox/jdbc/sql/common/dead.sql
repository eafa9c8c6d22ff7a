-- names: dead.page, deadOfTopic.page, deadOfKey.page
SELECT dead_id, lane, id, {columns}, 0 AS expired,
  reason, attempts, last_error, history, died_at, holds
FROM {dead}
WHERE {mine}{where}
  {narrowed}
ORDER BY dead_id
{limit}

-- names: dead.count, deadOfTopic.count, deadOfKey.count
SELECT COUNT(*)
FROM (
  SELECT 1 AS one
  FROM {dead}
  WHERE {mine}{where}
    {narrowed}
  {bound}) counted

-- fragment: dead.page.where
dead_id > :after
  AND {any_key}

-- fragment: dead.count.where
{any_key}

-- fragment: deadOfTopic.page.where
{of_topic}
  AND dead_id > :after

-- fragment: deadOfTopic.count.where
{of_topic}

-- fragment: deadOfKey.page.where
{of_key}
  AND dead_id > :after

-- fragment: deadOfKey.count.where
{of_key}

-- fragment: of_topic
topic = :topic

-- fragment: of_key
{of_topic}
  AND msg_key = :msg_key
