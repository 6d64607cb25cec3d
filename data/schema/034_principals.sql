-- What a principal's money was spent on: its sums are of few payments among many.
/* sqlite only */ CREATE INDEX payments_by_principal ON payments (tenant_id, principal_did, created_at) WHERE listed_as <> '';
/* postgres only */ CREATE INDEX payments_by_principal ON payments (tenant_id, principal_did, created_at);
-- Whether any principal has delegated to an agent.
CREATE INDEX delegations_by_agent ON delegations (tenant_id, agent_did);
-- The payment methods of one agent or principal, newest first.
CREATE INDEX instruments_of_holder ON instruments (tenant_id, holder_did, holder_kind, id);
