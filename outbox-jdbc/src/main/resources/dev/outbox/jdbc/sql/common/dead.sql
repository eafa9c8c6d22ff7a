-- names: dead.page, deadOfTopic.page, deadOfKey.page
SELECT dead_id, lane, id, {columns}, 0 AS expired,
  reason, attempts, last_error, history, died_at, holds
FROM {dead}
WHERE {mine}{where}
  {narrowed}
ORDER BY dead_id
{limit}

-- names: dead.summaries, deadOfTopic.summaries, deadOfKey.summaries
SELECT dead_id, message_id, topic, msg_key, reason, attempts, last_error, died_at, holds
FROM {dead}
WHERE {mine}{where}
  {narrowed}
ORDER BY dead_id
{limit}

-- names: dead.ids, deadOfTopic.ids, deadOfKey.ids
SELECT dead_id, message_id
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

-- name: lastDead
SELECT dead_id
FROM {dead}
WHERE {mine}dead_id > 0
ORDER BY dead_id DESC
{limit}

-- name: findReady
SELECT lane, id, {columns}, 0 AS expired
FROM {outbox}
WHERE message_id = :message_id

-- name: findParked
SELECT lane, id, {columns}, 0 AS expired,
  reason, attempts, due_at, last_error
FROM {parked}
WHERE message_id = :message_id

-- name: findDelayed
SELECT lane, id, {columns}, 0 AS expired,
  due_at
FROM {delayed}
WHERE message_id = :message_id

-- name: findDead
SELECT lane, id, {columns}, 0 AS expired,
  dead_id, reason, attempts, died_at, last_error
FROM {dead}
WHERE {mine}died_at >= :from
  AND died_at < :to
  AND message_id = :message_id

-- name: findArchived
SELECT lane, id, {columns}, 0 AS expired,
  completed_at
FROM {archive}
WHERE completed_at >= :from
  AND completed_at < :to
  AND message_id = :message_id

-- name: cancel
DELETE FROM {delayed}
WHERE id = :id
  AND message_id = :message_id

-- name: nextArchived
SELECT MAX(a.completed_at) AS up_to
FROM (
  SELECT completed_at
  FROM {archive}
  WHERE completed_at > :after
    AND completed_at < :to
    AND lane BETWEEN :first AND :last
    AND {of_topic}
  ORDER BY completed_at
  {limit}) a

-- name: publishAgain
INSERT INTO {outbox}
  (lane, {columns})
SELECT lane, {columns}
FROM {archive}
WHERE completed_at > :after
  AND completed_at <= :up_to
  AND lane BETWEEN :first AND :last
  AND {of_topic}
ORDER BY completed_at, lane, id

-- fragment: dead.page.where
dead_id > :after
  AND {any_key}

-- fragment: dead.summaries.where
dead_id > :after
  AND {any_key}

-- fragment: dead.ids.where
dead_id > :after
  AND {any_key}

-- fragment: dead.count.where
{any_key}

-- fragment: deadOfTopic.page.where
{of_topic}
  AND dead_id > :after

-- fragment: deadOfTopic.summaries.where
{of_topic}
  AND dead_id > :after

-- fragment: deadOfTopic.ids.where
{of_topic}
  AND dead_id > :after

-- fragment: deadOfTopic.count.where
{of_topic}

-- fragment: deadOfKey.page.where
{of_key}
  AND dead_id > :after

-- fragment: deadOfKey.summaries.where
{of_key}
  AND dead_id > :after

-- fragment: deadOfKey.ids.where
{of_key}
  AND dead_id > :after

-- fragment: deadOfKey.count.where
{of_key}

-- fragment: of_topic
topic = :topic

-- fragment: of_key
{of_topic}
  AND msg_key = :msg_key
