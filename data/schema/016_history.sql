-- What a question about one purchase reads however much was bought before it.

-- In the order of the chain: without it SQLite takes the primary key, which has that order, and reads the whole chain.
DROP INDEX evidence_by_transaction;
CREATE INDEX evidence_by_transaction ON evidence (tenant_id, transaction_id, seq) WHERE transaction_id IS NOT NULL;

-- A subtree of level n covers 256^n events, so that a proof needs a few hundred hashes however long the chain is. What is
-- kept so far is of level 1. Neither engine changes a primary key of both, so the rows are moved.
CREATE TABLE subtrees_before AS SELECT * FROM evidence_subtrees;
DROP TABLE evidence_subtrees;
CREATE TABLE evidence_subtrees (
  tenant_id TEXT NOT NULL,
  level BIGINT NOT NULL,
  number BIGINT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (tenant_id, level, number)
);
INSERT INTO evidence_subtrees (tenant_id, level, number, hash) SELECT tenant_id, 1, number, hash FROM subtrees_before;
DROP TABLE subtrees_before;
