-- Exchanges as tasks of the A2A protocol: one row each, changed in the commit of what it tells.
CREATE TABLE tasks (
  id TEXT NOT NULL PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  owner_kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  context_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  step TEXT,
  awaits TEXT,
  due_at BIGINT,
  node_id TEXT,
  seq BIGINT NOT NULL,
  pushes BIGINT NOT NULL,
  status_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT,
  content TEXT NOT NULL
);
CREATE INDEX tasks_by_time ON tasks (tenant_id, status_at, id);
CREATE INDEX tasks_by_state ON tasks (tenant_id, state, status_at, id);
CREATE INDEX tasks_by_agent ON tasks (tenant_id, agent_did, status_at, id);
CREATE INDEX tasks_by_agent_and_state ON tasks (tenant_id, agent_did, state, status_at, id);
CREATE INDEX tasks_by_context ON tasks (tenant_id, context_id, status_at, id);
CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_awaiting ON tasks (tenant_id, awaits) WHERE awaits IS NOT NULL;
CREATE INDEX tasks_open_of_agent ON tasks (tenant_id, agent_did) WHERE ended_at IS NULL;
CREATE INDEX tasks_ended ON tasks (ended_at) WHERE ended_at IS NOT NULL;

-- A payment that a task waits for tells it how it ended.
ALTER TABLE payments ADD COLUMN task_id TEXT;

-- Where a task's updates are posted is a subscription of its own, with nothing of a tenant's owner in it.
ALTER TABLE webhooks ADD COLUMN task_id TEXT;
CREATE INDEX webhooks_by_task ON webhooks (task_id, id) WHERE task_id IS NOT NULL;
CREATE INDEX webhooks_of_owner ON webhooks (tenant_id, id) WHERE task_id IS NULL;
