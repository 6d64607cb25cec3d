-- Payments by the time at which they were authorized, the cart each is for, and what waits for a person.

-- When the rail authorized it; until then, and where it never did, when it was asked for. The default is for the rows of
-- the program before; they get the time at which they were made.
ALTER TABLE payments ADD COLUMN authorized_at BIGINT NOT NULL DEFAULT 0;
UPDATE payments SET authorized_at = created_at;
CREATE INDEX payments_by_time ON payments (tenant_id, authorized_at);
CREATE INDEX payments_by_agent_time ON payments (tenant_id, agent_did, authorized_at);

ALTER TABLE payments ADD COLUMN cart_hash TEXT;
CREATE INDEX approvals_used ON approvals (tenant_id, intent_id) WHERE status = 'USED';
UPDATE payments SET cart_hash = (
  SELECT MAX(approvals.cart_hash) FROM approvals
  WHERE approvals.tenant_id = payments.tenant_id AND approvals.intent_id = payments.intent_id AND approvals.status = 'USED'
);
DROP INDEX approvals_used;
CREATE INDEX payments_by_cart ON payments (tenant_id, cart_hash) WHERE cart_hash IS NOT NULL;

-- Why, and since when, a person has to look at it: neither an answer nor a look at the rail settled it.
ALTER TABLE payments ADD COLUMN attention TEXT;
ALTER TABLE payments ADD COLUMN attention_at BIGINT;
CREATE INDEX payments_to_look_at ON payments (attention_at) WHERE attention_at IS NOT NULL;

-- When a refund was last taken back at the rail; since then older news of the rail may be out of date.
ALTER TABLE payments ADD COLUMN refund_failed_at BIGINT;

-- A dispute that was won, and an inquiry that was closed, take no money.
UPDATE payments SET status = CASE WHEN refunded_minor = 0 THEN 'CAPTURED' ELSE 'PARTIALLY_REFUNDED' END
  WHERE status = 'DISPUTED' AND dispute_outcome IN ('won', 'warning_closed');

-- As velocity_windows, over payments: what those authorized since left_until come to.
CREATE TABLE payment_windows (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  window_ms BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  amounts TEXT NOT NULL,
  left_until BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, window_ms)
);
