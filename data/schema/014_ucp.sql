-- Which checkout of UCP a payment is for, by its business and its id: a checkout is paid once.
ALTER TABLE payments ADD COLUMN checkout_key TEXT;
CREATE INDEX payments_by_checkout ON payments (tenant_id, checkout_key) WHERE checkout_key IS NOT NULL;

-- The mandates that a payment of a checkout is completed with: for whom they are made, and once money is held, sealed, they themselves.
CREATE TABLE checkout_mandates (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  payment_id TEXT NOT NULL,
  audience TEXT NOT NULL,
  payment_audience TEXT NOT NULL,
  nonce TEXT NOT NULL,
  sealed TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, payment_id)
);
CREATE INDEX checkout_mandates_by_time ON checkout_mandates (created_at);
