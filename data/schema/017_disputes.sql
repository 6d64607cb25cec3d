-- A payment may have several disputes, each about a part of it: each is a row, and the payment has the sum of those that take money.
CREATE TABLE disputes (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  mandate_id TEXT NOT NULL,
  rail_dispute_id TEXT NOT NULL,
  id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  reason TEXT,
  status TEXT NOT NULL,
  due_by BIGINT,
  opened_at BIGINT NOT NULL,
  closed_at BIGINT,
  told_at BIGINT,
  PRIMARY KEY (tenant_id, mandate_id, rail_dispute_id)
);
CREATE UNIQUE INDEX disputes_by_id ON disputes (tenant_id, id);
CREATE INDEX disputes_open ON disputes (tenant_id, due_by) WHERE status IN ('needs_response', 'under_review');

ALTER TABLE payments ADD COLUMN dispute_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE payments ADD COLUMN standing_disputes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE payments ADD COLUMN disputed_minor BIGINT NOT NULL DEFAULT 0;

-- A payment kept its latest dispute alone; the evidence has all of them. Its text is read by its form, since a damaged one may be
-- no JSON.
CREATE TABLE disputes_told (
  tenant_id TEXT NOT NULL,
  mandate_id TEXT NOT NULL,
  rail_dispute_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  event_type TEXT NOT NULL,
  outcome TEXT,
  reason TEXT,
  created_at BIGINT NOT NULL
);
/* sqlite only */ INSERT INTO disputes_told
  SELECT payments.tenant_id, payments.mandate_id, json_extract(told.data, '$.disputeId'), told.seq, told.event_type,
    json_extract(told.data, '$.outcome'), json_extract(told.data, '$.reason'), told.created_at
  FROM (
    SELECT tenant_id, transaction_id, seq, event_type, created_at, CASE WHEN json_valid(data) THEN data ELSE '{}' END AS data
    FROM evidence WHERE event_type IN ('PAYMENT_DISPUTED', 'PAYMENT_DISPUTE_CLOSED')
  ) AS told
  JOIN payments ON payments.tenant_id = told.tenant_id AND payments.transaction_id = told.transaction_id
  WHERE json_extract(told.data, '$.disputeId') IS NOT NULL;
/* postgres only */ INSERT INTO disputes_told
  SELECT payments.tenant_id, payments.mandate_id, substring(told.data FROM '"disputeId":"([^"\\]+)"'), told.seq, told.event_type,
    substring(told.data FROM '"outcome":"([^"\\]+)"'), substring(told.data FROM '"reason":"([^"\\]+)"'), told.created_at
  FROM evidence AS told
  JOIN payments ON payments.tenant_id = told.tenant_id AND payments.transaction_id = told.transaction_id
  WHERE told.event_type IN ('PAYMENT_DISPUTED', 'PAYMENT_DISPUTE_CLOSED')
    AND substring(told.data FROM '"disputeId":"([^"\\]+)"') IS NOT NULL;
INSERT INTO disputes
  (tenant_id, mandate_id, rail_dispute_id, id, agent_did, amount_minor, currency, reason, status, opened_at, closed_at)
  SELECT payments.tenant_id, payments.mandate_id, told.rail_dispute_id,
    'dsp_' || substr(payments.mandate_id, 4) || '_' || told.seq, payments.agent_did,
    payments.captured_minor - payments.refunded_minor, payments.currency, told.reason,
    CASE WHEN ended.outcome IS NULL THEN 'needs_response' WHEN ended.outcome = 'won' THEN 'won'
      WHEN ended.outcome = 'warning_closed' THEN 'inquiry_closed' ELSE 'lost' END,
    told.created_at, ended.created_at
  FROM disputes_told AS told
  JOIN payments ON payments.tenant_id = told.tenant_id AND payments.mandate_id = told.mandate_id
  LEFT JOIN disputes_told AS ended ON ended.tenant_id = told.tenant_id AND ended.mandate_id = told.mandate_id
    AND ended.rail_dispute_id = told.rail_dispute_id AND ended.event_type = 'PAYMENT_DISPUTE_CLOSED'
  WHERE told.event_type = 'PAYMENT_DISPUTED'
  ON CONFLICT DO NOTHING;
DROP TABLE disputes_told;
-- One whose evidence is damaged or reset.
INSERT INTO disputes
  (tenant_id, mandate_id, rail_dispute_id, id, agent_did, amount_minor, currency, status, opened_at, closed_at)
  SELECT tenant_id, mandate_id, dispute_id, 'dsp_' || substr(mandate_id, 4), agent_did, captured_minor - refunded_minor, currency,
    CASE WHEN dispute_outcome IS NULL THEN 'needs_response' WHEN dispute_outcome = 'won' THEN 'won'
      WHEN dispute_outcome = 'warning_closed' THEN 'inquiry_closed' ELSE 'lost' END,
    created_at, CASE WHEN dispute_outcome IS NULL THEN NULL ELSE created_at END
  FROM payments WHERE dispute_id IS NOT NULL
  ON CONFLICT DO NOTHING;

UPDATE payments SET
  dispute_count = (SELECT COUNT(*) FROM disputes
    WHERE disputes.tenant_id = payments.tenant_id AND disputes.mandate_id = payments.mandate_id),
  standing_disputes = (SELECT COUNT(*) FROM disputes
    WHERE disputes.tenant_id = payments.tenant_id AND disputes.mandate_id = payments.mandate_id
      AND status IN ('needs_response', 'under_review', 'lost')),
  disputed_minor = (SELECT CAST(COALESCE(SUM(amount_minor), 0) AS BIGINT) FROM disputes
    WHERE disputes.tenant_id = payments.tenant_id AND disputes.mandate_id = payments.mandate_id
      AND status IN ('needs_response', 'under_review', 'lost'))
  WHERE dispute_id IS NOT NULL;
UPDATE payments SET status = 'DISPUTED' WHERE standing_disputes > 0 AND refunded_minor < captured_minor;

-- What is in dispute is summed anew, as src/store/statements/purchases/spendSums.ts sums it.
UPDATE spend_sums SET disputed_high = 0, disputed_low = 0 WHERE disputed_high <> 0 OR disputed_low <> 0;
INSERT INTO spend_sums
  (tenant_id, scope, quarters, stretch, name, currency, payments,
    held_high, held_low, paid_high, paid_low, refunded_high, refunded_low, disputed_high, disputed_low)
  SELECT tenant_id, scope, quarters, created_at / 900000 / quarters,
    CASE scope WHEN 'all' THEN '' WHEN 'agent' THEN agent_did ELSE merchant END, currency, 0, 0, 0, 0, 0, 0, 0,
    SUM(disputed_minor / 67108864), SUM(disputed_minor % 67108864)
  FROM payments
  JOIN (
    SELECT 'all' AS scope, 1 AS quarters UNION ALL SELECT 'agent', 96 UNION ALL SELECT 'agent', 3072
    UNION ALL SELECT 'merchant', 96 UNION ALL SELECT 'merchant', 3072
  ) AS stretches ON true
  WHERE disputed_minor > 0 AND status IN ('CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED')
  GROUP BY tenant_id, scope, quarters, created_at / 900000 / quarters,
    CASE scope WHEN 'all' THEN '' WHEN 'agent' THEN agent_did ELSE merchant END, currency
  ON CONFLICT (tenant_id, scope, quarters, stretch, name, currency) DO UPDATE SET
    disputed_high = excluded.disputed_high, disputed_low = excluded.disputed_low;

DROP INDEX payments_in_dispute;
ALTER TABLE payments DROP COLUMN dispute_id;
ALTER TABLE payments DROP COLUMN dispute_outcome;
