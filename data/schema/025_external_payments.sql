-- Payments that are made elsewhere: reserved before, and what was told of each afterwards.
CREATE TABLE external_payments (
  tenant_id TEXT NOT NULL,
  mandate_id TEXT NOT NULL,
  merchant TEXT NOT NULL,
  channel TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  commit_until BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  order_reference TEXT,
  evidence TEXT,
  evidence_hash TEXT,
  reference TEXT,
  PRIMARY KEY (tenant_id, mandate_id)
);
-- One receipt pays for one reservation.
CREATE UNIQUE INDEX external_payments_by_hash ON external_payments (tenant_id, evidence_hash) WHERE evidence_hash IS NOT NULL;
CREATE UNIQUE INDEX external_payments_by_reference ON external_payments (tenant_id, reference, merchant) WHERE reference IS NOT NULL;
-- By which a line of a statement is compared.
CREATE INDEX external_payments_by_order ON external_payments (tenant_id, order_reference) WHERE order_reference IS NOT NULL;
CREATE INDEX external_payments_by_amount ON external_payments (tenant_id, amount_minor, currency, created_at);
-- Lines of statements that were read: the same line again has the same outcome.
CREATE TABLE external_statement_lines (
  tenant_id TEXT NOT NULL,
  line_hash TEXT NOT NULL,
  outcome TEXT NOT NULL,
  mandate_id TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, line_hash)
);
CREATE INDEX external_statement_lines_by_payment ON external_statement_lines (tenant_id, mandate_id) WHERE mandate_id IS NOT NULL;
-- Of a protocol whose references name one payment each: which payment has which.
ALTER TABLE http_payments ADD COLUMN reference TEXT;
CREATE UNIQUE INDEX http_payments_by_reference ON http_payments (tenant_id, protocol, reference) WHERE reference IS NOT NULL;
