-- People with passkeys of their own: what they are called, how a login began, and the last touch that it had.
ALTER TABLE users ADD COLUMN name TEXT;
ALTER TABLE logins ADD COLUMN way TEXT;
ALTER TABLE logins ADD COLUMN device TEXT;
ALTER TABLE logins ADD COLUMN last_used_at BIGINT;
ALTER TABLE logins ADD COLUMN touched_at BIGINT;
ALTER TABLE logins ADD COLUMN touched_with TEXT;
CREATE INDEX users_by_did ON users (tenant_id, did);
CREATE INDEX logins_of_user ON logins (tenant_id, user_id, id);
DROP INDEX logins_by_user;

-- Links by which somebody becomes a user, or a user gets back in: each makes one passkey. The token itself is not kept.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  token_hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  name TEXT,
  -- Who they will be, or are.
  user_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX invitations_by_tenant ON invitations (tenant_id, id);
CREATE INDEX invitations_by_end ON invitations (expires_at);

-- Whose passkeys approve what an agent buys, besides the agent's own.
ALTER TABLE agents ADD COLUMN owner_user_id TEXT;
