-- name: limits.read
SELECT @@SESSION.innodb_lock_wait_timeout AS lock_wait,
  @@SESSION.idle_transaction_timeout AS idle,
  @@SESSION.idle_write_transaction_timeout AS idle_write,
  @@SESSION.max_statement_time AS statement,
  DATABASE() AS home

-- name: limits.write
SET SESSION innodb_lock_wait_timeout = :lock_wait,
  SESSION idle_transaction_timeout = :idle,
  SESSION idle_write_transaction_timeout = :idle_write,
  SESSION max_statement_time = :statement
