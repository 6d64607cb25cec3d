-- Who is paid where no merchant signs a cart: which names at rails belong to which domain.
ALTER TABLE merchants ADD COLUMN pay_to TEXT;
CREATE TABLE merchant_payees (
  tenant_id TEXT NOT NULL,
  payee TEXT NOT NULL,
  merchant_id TEXT NOT NULL,
  domain TEXT NOT NULL,
  PRIMARY KEY (tenant_id, payee, merchant_id)
);
CREATE INDEX merchant_payees_by_domain ON merchant_payees (tenant_id, domain);
INSERT INTO merchant_payees (tenant_id, payee, merchant_id, domain)
  SELECT tenant_id, rail_profile_id, id, domain FROM merchants WHERE rail_profile_id IS NOT NULL;
-- Payments that a server asked for by HTTP: what it offered, and, sealed, what pays it.
CREATE TABLE http_payments (
  tenant_id TEXT NOT NULL,
  mandate_id TEXT NOT NULL,
  protocol TEXT NOT NULL,
  challenge TEXT,
  challenge_id TEXT,
  payee TEXT NOT NULL,
  offer TEXT NOT NULL,
  credential TEXT,
  credential_hash TEXT,
  expires_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  receipt TEXT,
  PRIMARY KEY (tenant_id, mandate_id)
);
CREATE UNIQUE INDEX http_payments_by_challenge ON http_payments (tenant_id, challenge) WHERE challenge IS NOT NULL;
CREATE INDEX http_payments_by_challenge_id ON http_payments (tenant_id, challenge_id) WHERE challenge_id IS NOT NULL;
CREATE INDEX http_payments_by_credential ON http_payments (credential_hash) WHERE credential_hash IS NOT NULL;
-- The last approval that was asked for by each content, so that a fresh challenge of equal content finds it.
CREATE TABLE http_approvals (
  tenant_id TEXT NOT NULL,
  content TEXT NOT NULL,
  approval_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, content)
);
CREATE INDEX http_approvals_by_age ON http_approvals (created_at);
