-- A subscription that was resumed delivers what it held, the oldest first, before anything newer; until then it is resuming (1).
ALTER TABLE webhooks ADD COLUMN resuming BIGINT NOT NULL DEFAULT 0;
CREATE INDEX webhooks_resuming ON webhooks (id) WHERE resuming = 1;
CREATE INDEX webhook_deliveries_held_in_order ON webhook_deliveries (webhook_id, id) WHERE state = 'HELD';
DROP INDEX webhook_deliveries_held;
