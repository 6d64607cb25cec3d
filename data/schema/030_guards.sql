-- Guards before tools of others: what each told last of its tools, and what people accepted of them.
CREATE TABLE guards (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  name TEXT NOT NULL,
  servers TEXT NOT NULL,
  waiting_since BIGINT,
  created_at BIGINT NOT NULL,
  told_at BIGINT NOT NULL,
  UNIQUE (tenant_id, agent_did, name)
);
CREATE INDEX guards_by_agent ON guards (tenant_id, agent_did, id);
CREATE INDEX guards_of_tenant ON guards (tenant_id, id);
-- What waits for a person is told on the first screen.
CREATE INDEX guards_waiting ON guards (tenant_id, waiting_since) WHERE waiting_since IS NOT NULL;
CREATE INDEX guards_by_time ON guards (told_at);
