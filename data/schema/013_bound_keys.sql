-- A key that acts for these agents alone, separated by spaces; null for one that is bound to none.
ALTER TABLE api_keys ADD COLUMN agents TEXT;
-- An agent's own requests for approval.
CREATE INDEX approval_requests_by_agent ON approval_requests (tenant_id, agent_did, id);
CREATE INDEX approval_requests_by_agent_and_status ON approval_requests (tenant_id, agent_did, status, id);
-- The DID of an agent may be that of a principal as well.
DROP INDEX passkeys_by_agent;
CREATE INDEX passkeys_by_holder ON passkeys (tenant_id, holder_did, holder_kind, id);
