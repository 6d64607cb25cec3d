-- What witnesses have signed of each checkpoint: a line of its note each.
CREATE TABLE cosignatures (
  tenant_id TEXT NOT NULL,
  size BIGINT NOT NULL,
  -- The witness's verifier key.
  witness TEXT NOT NULL,
  line TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, size, witness)
);

-- How each witness stands to a chain.
CREATE TABLE chain_witnesses (
  tenant_id TEXT NOT NULL,
  witness TEXT NOT NULL,
  -- Of the last checkpoint that it cosigned.
  size BIGINT NOT NULL,
  -- Who asks it now, until due_at; without one it is not asked before.
  node_id TEXT,
  due_at BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  failure TEXT,
  failing_since BIGINT,
  -- That it contradicts the chain, the size that it has seen, and since when.
  refusal TEXT,
  seen_size BIGINT,
  refused_at BIGINT,
  PRIMARY KEY (tenant_id, witness)
);
