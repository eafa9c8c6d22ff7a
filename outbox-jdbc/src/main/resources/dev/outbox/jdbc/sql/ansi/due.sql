-- name: promote  shape: each row
INSERT INTO {outbox}
  (lane, {columns})
SELECT d.lane, {d.columns}
FROM {delayed} d
WHERE d.id = :id

-- name: deleteDelayed  shape: each row
DELETE FROM {delayed} d
WHERE d.id = :id
