-- What only searches need of the chain. Each event would change four indexes at places in no order; a worker merges many
-- events at once instead, and says how far: searches read what follows from the chain itself.
CREATE TABLE evidence_index (
  tenant_id TEXT NOT NULL,
  member TEXT NOT NULL,
  value TEXT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, member, value, seq)
) WITHOUT ROWID;
CREATE TABLE evidence_indexed (
  tenant_id TEXT PRIMARY KEY,
  seq BIGINT NOT NULL
);
INSERT INTO evidence_index (tenant_id, member, value, seq)
  SELECT tenant_id, 'actor', actor_did, seq FROM evidence ORDER BY tenant_id, actor_did, seq;
INSERT INTO evidence_index (tenant_id, member, value, seq)
  SELECT tenant_id, 'actor type', actor_did || ' ' || event_type, seq FROM evidence
  ORDER BY tenant_id, actor_did, event_type, seq;
INSERT INTO evidence_index (tenant_id, member, value, seq)
  SELECT tenant_id, 'context', context_id, seq FROM evidence WHERE context_id IS NOT NULL
  ORDER BY tenant_id, context_id, seq;
INSERT INTO evidence_index (tenant_id, member, value, seq)
  SELECT tenant_id, 'type', event_type, seq FROM evidence ORDER BY tenant_id, event_type, seq;
INSERT INTO evidence_indexed (tenant_id, seq) SELECT tenant_id, MAX(seq) FROM evidence GROUP BY tenant_id;
DROP INDEX evidence_by_actor;
DROP INDEX evidence_by_actor_and_type;
DROP INDEX evidence_by_context;
DROP INDEX evidence_by_type;

-- What only lists need of intents and payments. A row is in the indexes of lists under the status in listed_as, and in none of
-- them while that is empty; a worker lists many rows at once. Rows that are not listed as they are now are few, and are found by
-- an index of their own. PostgreSQL writes a row anew to list it, so there it is always listed as it is.
/* sqlite only */ ALTER TABLE intents ADD COLUMN listed_as TEXT NOT NULL DEFAULT '';
/* sqlite only */ ALTER TABLE intents ADD COLUMN unlisted BIGINT NOT NULL GENERATED ALWAYS AS (listed_as <> status) VIRTUAL;
/* sqlite only */ ALTER TABLE payments ADD COLUMN listed_as TEXT NOT NULL DEFAULT '';
/* sqlite only */ ALTER TABLE payments ADD COLUMN unlisted BIGINT NOT NULL GENERATED ALWAYS AS (listed_as <> status) VIRTUAL;
/* postgres only */ ALTER TABLE intents ADD COLUMN listed_as TEXT NOT NULL GENERATED ALWAYS AS (status) STORED;
/* postgres only */ ALTER TABLE intents ADD COLUMN unlisted BIGINT NOT NULL GENERATED ALWAYS AS (0) STORED;
/* postgres only */ ALTER TABLE payments ADD COLUMN listed_as TEXT NOT NULL GENERATED ALWAYS AS (status) STORED;
/* postgres only */ ALTER TABLE payments ADD COLUMN unlisted BIGINT NOT NULL GENERATED ALWAYS AS (0) STORED;
/* sqlite only */ DROP INDEX intents_by_agent;
/* sqlite only */ DROP INDEX intents_by_status;
/* sqlite only */ DROP INDEX intents_by_agent_and_status;
/* sqlite only */ DROP INDEX payments_by_agent;
/* sqlite only */ DROP INDEX payments_by_agent_and_status;
/* sqlite only */ DROP INDEX payments_by_agent_at_merchant;
/* sqlite only */ DROP INDEX payments_by_agent_time;
/* sqlite only */ DROP INDEX payments_by_merchant;
/* sqlite only */ DROP INDEX payments_by_merchant_and_status;
/* sqlite only */ DROP INDEX payments_by_status;
/* sqlite only */ DROP INDEX payments_by_time;
/* sqlite only */ DROP INDEX payments_newest_of_agent;
/* sqlite only */ UPDATE intents SET listed_as = status;
/* sqlite only */ UPDATE payments SET listed_as = status;
CREATE INDEX intents_unlisted ON intents (tenant_id, mandate_id) WHERE unlisted = 1;
CREATE INDEX payments_unlisted ON payments (tenant_id, mandate_id) WHERE unlisted = 1;
CREATE INDEX payments_unlisted_by_time ON payments (tenant_id, authorized_at) WHERE listed_as = '';
/* sqlite only */ CREATE INDEX intents_by_agent ON intents (tenant_id, agent_did, mandate_id) WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX intents_by_status ON intents (tenant_id, listed_as, mandate_id) WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX intents_by_agent_and_status ON intents (tenant_id, agent_did, listed_as, mandate_id)
  WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_by_agent ON payments (tenant_id, agent_did, merchant, mandate_id)
  WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_by_agent_and_status ON payments (tenant_id, agent_did, listed_as, mandate_id)
  WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_by_agent_at_merchant
  ON payments (tenant_id, (agent_did || ' ' || merchant), listed_as, mandate_id) WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_by_agent_time ON payments (tenant_id, agent_did, authorized_at)
  WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_by_merchant ON payments (tenant_id, merchant, mandate_id) WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_by_merchant_and_status ON payments (tenant_id, merchant, listed_as, mandate_id)
  WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_by_status ON payments (tenant_id, listed_as, mandate_id) WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_by_time ON payments (tenant_id, authorized_at) WHERE listed_as <> '';
/* sqlite only */ CREATE INDEX payments_newest_of_agent ON payments (tenant_id, agent_did, mandate_id)
  WHERE listed_as <> '';
