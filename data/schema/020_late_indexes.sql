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
