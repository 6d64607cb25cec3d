-- Real rails: how long holds last, what a rail tells of its own accord, who pays with what, shared payment tokens.

ALTER TABLE payments ADD COLUMN hold_until BIGINT;
-- 1 once it was said that the hold is about to end.
ALTER TABLE payments ADD COLUMN hold_warned BIGINT NOT NULL DEFAULT 0;
-- The rail's dispute about it, and how that ended.
ALTER TABLE payments ADD COLUMN dispute_id TEXT;
ALTER TABLE payments ADD COLUMN dispute_outcome TEXT;
CREATE INDEX payments_by_rail_id ON payments (rail_id) WHERE rail_id IS NOT NULL;
CREATE INDEX payments_unknown ON payments (tenant_id, mandate_id) WHERE status = 'UNKNOWN';
CREATE INDEX payments_held ON payments (hold_until) WHERE status = 'AUTHORIZED' AND hold_until IS NOT NULL;

-- When an attempt was left to a person, since neither an answer nor a look at the rail settled it.
ALTER TABLE rail_attempts ADD COLUMN flagged_at BIGINT;
CREATE INDEX rail_attempts_flagged ON rail_attempts (flagged_at) WHERE state = 'OPEN' AND flagged_at IS NOT NULL;

-- The merchant as the rail's network knows it, for shared payment tokens.
ALTER TABLE merchants ADD COLUMN rail_profile_id TEXT;

-- Payment methods at the rail, by their names there: the numbers behind them never come here.
CREATE TABLE instruments (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  holder_did TEXT NOT NULL,
  holder_kind TEXT NOT NULL,
  payment_method TEXT NOT NULL,
  customer TEXT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX instruments_by_holder ON instruments (tenant_id, holder_did, payment_method);

-- Events of rails that were taken in; each counts once.
CREATE TABLE rail_events (
  event_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX rail_events_by_age ON rail_events (created_at);

CREATE TABLE shared_payment_tokens (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  -- The rail's own id of it; none where the node made it.
  rail_token_id TEXT,
  status TEXT NOT NULL,
  merchant_domain TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  intent_id TEXT,
  cart_id TEXT,
  payment_id TEXT,
  transaction_id TEXT,
  context_id TEXT,
  -- The payment at the rail that used it.
  rail_payment_id TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  ended_at BIGINT
);
CREATE INDEX shared_payment_tokens_by_tenant ON shared_payment_tokens (tenant_id, id);
CREATE INDEX shared_payment_tokens_by_rail ON shared_payment_tokens (rail_token_id) WHERE rail_token_id IS NOT NULL;
CREATE INDEX shared_payment_tokens_to_expire ON shared_payment_tokens (expires_at) WHERE status = 'ACTIVE';
