-- Where a person's notices are sent is a subscription of theirs, delivered to as webhooks are.
ALTER TABLE webhooks ADD COLUMN user_id TEXT;
-- From which amount on they are told of payments, as JSON; null for every one.
ALTER TABLE webhooks ADD COLUMN least TEXT;
CREATE INDEX webhooks_of_user ON webhooks (tenant_id, user_id, id) WHERE user_id IS NOT NULL;
