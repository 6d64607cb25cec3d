-- The Merkle tree over each evidence chain, kept so far that a proof costs little however long the chain is.
-- Row n holds the hash of the subtree over events 256n+1 to 256n+256.
CREATE TABLE evidence_subtrees (
  tenant_id TEXT NOT NULL,
  number BIGINT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (tenant_id, number)
);

CREATE TABLE checkpoints (
  tenant_id TEXT NOT NULL,
  size BIGINT NOT NULL,
  note TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, size)
);

-- The person's approval that a cart was validated with, as it was signed.
ALTER TABLE approvals ADD COLUMN hp_proof TEXT;
