-- What the store needs under load: an index for each list and filter that is offered, and for each deletion of old rows.
-- Each index of intents, payments and evidence is paid on each purchase, so they say why they are there.

-- Agents and sessions have no id that tells which of one millisecond came first. Rows from before stay empty, and so
-- behind all others.
ALTER TABLE agents ADD COLUMN place TEXT NOT NULL DEFAULT '';
DROP INDEX agents_by_tenant;
CREATE INDEX agents_newest ON agents (tenant_id, place, created_at, did);
CREATE INDEX agents_by_status ON agents (tenant_id, status, place, created_at, did);
ALTER TABLE sessions ADD COLUMN place TEXT NOT NULL DEFAULT '';
CREATE INDEX sessions_newest ON sessions (tenant_id, place, created_at, context_id);
CREATE INDEX sessions_by_status ON sessions (tenant_id, status, place, created_at, context_id);
CREATE INDEX sessions_by_agent ON sessions (tenant_id, agent_did, place, created_at, context_id);
CREATE INDEX sessions_by_agent_and_status ON sessions (tenant_id, agent_did, status, place, created_at, context_id);

-- GET /ap2/intents and /ap2/payments by status, and by an agent's status: without them a rare status is looked for in
-- all that the tenant, or its one busy agent, ever bought.
CREATE INDEX intents_by_status ON intents (tenant_id, status, mandate_id);
CREATE INDEX intents_by_agent_and_status ON intents (tenant_id, agent_did, status, mandate_id);
CREATE INDEX payments_by_status ON payments (tenant_id, status, mandate_id);
CREATE INDEX payments_by_agent_and_status ON payments (tenant_id, agent_did, status, mandate_id);
-- An agent's newest payments: its list, and the amounts that risk.anomaly compares with at each purchase.
CREATE INDEX payments_newest_of_agent ON payments (tenant_id, agent_did, mandate_id);

-- Evidence by type of one actor: an issuer's and an agent's types are as unevenly spread as can be. Times need no
-- index: they follow the chain's order.
CREATE INDEX evidence_by_actor_and_type ON evidence (tenant_id, actor_did, event_type, seq);
-- In the order of the chain, so that a long session is not sorted.
DROP INDEX evidence_by_context;
CREATE INDEX evidence_by_context ON evidence (tenant_id, context_id, seq) WHERE context_id IS NOT NULL;

-- Lists that people look at.
CREATE INDEX approval_requests_by_status ON approval_requests (tenant_id, status, id);
CREATE INDEX shared_payment_tokens_by_status ON shared_payment_tokens (tenant_id, status, id);
CREATE INDEX passkeys_by_tenant ON passkeys (tenant_id, id);
CREATE INDEX instruments_by_tenant ON instruments (tenant_id, id);
CREATE INDEX merchants_by_tenant ON merchants (tenant_id, id);
CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (tenant_id, webhook_id, id);
-- One event has few attempts: those of one webhook are looked for among them.
CREATE INDEX webhook_attempts_by_event ON webhook_attempts (tenant_id, event_id, id);

-- For housekeeping. The first covers unused tokens alone, so that paid ones do not stay in it.
CREATE INDEX approvals_unused ON approvals (created_at) WHERE status <> 'USED';
CREATE INDEX presence_used_by_age ON presence_used (used_at);
CREATE INDEX logins_ended ON logins (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_deliveries_held_by_age ON webhook_deliveries (id) WHERE state = 'HELD';
