-- The contextId of a session is chosen by its agent, and told apart within that agent: before, whoever took a name first
-- kept it from all other agents of the tenant. Neither engine changes a primary key of both, so the rows are moved.
CREATE TABLE sessions_before AS SELECT * FROM sessions;
DROP TABLE sessions;
CREATE TABLE sessions (
  tenant_id TEXT NOT NULL,
  context_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  user_did TEXT NOT NULL,
  status TEXT NOT NULL,
  message_count BIGINT NOT NULL,
  intent_mandate_id TEXT,
  permit_id TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  place TEXT NOT NULL DEFAULT '',
  -- The name before the agent, so that a name is found without one as well.
  PRIMARY KEY (tenant_id, context_id, agent_did)
);
INSERT INTO sessions (tenant_id, context_id, agent_did, user_did, status, message_count, intent_mandate_id, permit_id,
    created_at, expires_at, place)
  SELECT tenant_id, context_id, agent_did, user_did, status, message_count, intent_mandate_id, permit_id, created_at,
    expires_at, place FROM sessions_before;
DROP TABLE sessions_before;
CREATE INDEX sessions_newest ON sessions (tenant_id, place, created_at, context_id);
CREATE INDEX sessions_by_status ON sessions (tenant_id, status, place, created_at, context_id);
CREATE INDEX sessions_by_agent ON sessions (tenant_id, agent_did, place, created_at, context_id);
CREATE INDEX sessions_by_agent_and_status ON sessions (tenant_id, agent_did, status, place, created_at, context_id);
