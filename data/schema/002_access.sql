-- People who log in through an identity provider: who they are, their logins and the tokens that prolong them.

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  -- Who the provider says it is; an e-mail address may change hands and identifies nobody.
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  did TEXT NOT NULL,
  email TEXT,
  role TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_login_at BIGINT NOT NULL,
  UNIQUE (tenant_id, issuer, subject)
);
CREATE INDEX users_by_tenant ON users (tenant_id, id);

CREATE TABLE logins (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX logins_by_user ON logins (tenant_id, user_id);
CREATE INDEX logins_by_age ON logins (expires_at);

-- Kept after their use, as long as they would have lived: a used one that comes again was stolen.
CREATE TABLE refresh_tokens (
  hash TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  login_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);
CREATE INDEX refresh_tokens_by_age ON refresh_tokens (expires_at);

-- Ways back from the identity provider that were walked: each leads to one login.
CREATE TABLE login_attempts_used (
  state TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE INDEX login_attempts_used_by_age ON login_attempts_used (expires_at);
