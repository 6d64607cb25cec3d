-- GET /ap2/payments and /ap2/approvals by merchant, by a merchant's status, and by an agent's status at a merchant. The last ones
-- have agent and merchant in one: SQLite prefers the primary key to an index that has more of its columns.
CREATE INDEX payments_by_merchant ON payments (tenant_id, merchant, mandate_id);
CREATE INDEX payments_by_merchant_and_status ON payments (tenant_id, merchant, status, mandate_id);
CREATE INDEX payments_by_agent_at_merchant ON payments (tenant_id, (agent_did || ' ' || merchant), status, mandate_id);
CREATE INDEX approval_requests_by_merchant ON approval_requests (tenant_id, merchant, id);
CREATE INDEX approval_requests_by_merchant_and_status ON approval_requests (tenant_id, merchant, status, id);
CREATE INDEX approval_requests_by_agent_and_merchant ON approval_requests (tenant_id, agent_did, merchant, id);
CREATE INDEX approval_requests_by_agent_at_merchant
  ON approval_requests (tenant_id, (agent_did || ' ' || merchant), status, id);

-- The sums once more over a thousand stretches each, so that a window of a month is a few hundred rows.
INSERT INTO spending_sums (tenant_id, scope, bucket, currency, transactions, high, low)
  SELECT tenant_id, scope, 'c_' || SUBSTR(bucket, 1, 12), currency, SUM(transactions), SUM(high), SUM(low)
  FROM spending_sums WHERE bucket >= 'intent_' AND bucket < 'intent_{'
  GROUP BY tenant_id, scope, SUBSTR(bucket, 1, 12), currency;
INSERT INTO spending_sums (tenant_id, scope, bucket, currency, transactions, high, low)
  SELECT tenant_id, scope, 'c_' || SUBSTR(bucket, 1, 13), currency, SUM(transactions), SUM(high), SUM(low)
  FROM spending_sums WHERE bucket >= 'paid_' AND bucket < 'paid_{'
  GROUP BY tenant_id, scope, SUBSTR(bucket, 1, 13), currency;
