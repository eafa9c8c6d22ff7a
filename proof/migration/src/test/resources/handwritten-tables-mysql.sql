CREATE TABLE outbox_events (
  id bigint AUTO_INCREMENT PRIMARY KEY,
  event_id char(36) NOT NULL,
  event_type varchar(100) NOT NULL,
  aggregate_id varchar(100) NOT NULL,
  payload json NOT NULL,
  sent_at timestamp NULL
)
