CREATE TABLE outbox_events (
  id bigserial PRIMARY KEY,
  event_id uuid NOT NULL,
  event_type varchar(100) NOT NULL,
  aggregate_id varchar(100) NOT NULL,
  payload jsonb NOT NULL,
  sent_at timestamptz
)
