-- A person who was removed stays known, so that the identity provider does not let them in again.
ALTER TABLE users ADD COLUMN removed_at BIGINT;
-- Who made a key, by kind and id, and the person behind it: their permissions bound those of the key.
ALTER TABLE api_keys ADD COLUMN made_by TEXT;
ALTER TABLE api_keys ADD COLUMN user_id TEXT;
ALTER TABLE api_keys ADD COLUMN ceiling TEXT;
CREATE INDEX api_keys_by_user ON api_keys (tenant_id, user_id) WHERE user_id IS NOT NULL;
