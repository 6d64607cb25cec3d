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
