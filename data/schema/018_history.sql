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

-- What intents reserve and payments come to in each half minute, so that the window of a limit that was changed is not counted
-- from all its rows. An intent belongs to the stretch that its id names: seven of the ten characters of its time.
CREATE TABLE spending_sums (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  bucket TEXT NOT NULL,
  currency TEXT NOT NULL,
  transactions BIGINT NOT NULL,
  high BIGINT NOT NULL,
  low BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, bucket, currency)
);
-- For housekeeping.
CREATE INDEX spending_sums_by_age ON spending_sums (bucket);
-- Those of the last 70 days that there are.
INSERT INTO spending_sums (tenant_id, scope, bucket, currency, transactions, high, low)
  SELECT tenant_id, agent_did, SUBSTR(mandate_id, 1, 14), currency, COUNT(*), SUM(reserved_minor / 67108864),
    SUM(reserved_minor % 67108864)
  FROM intents WHERE created_at >= (SELECT MAX(created_at) FROM intents) - 6048000000
  GROUP BY tenant_id, agent_did, SUBSTR(mandate_id, 1, 14), currency;
INSERT INTO spending_sums (tenant_id, scope, bucket, currency, transactions, high, low)
  SELECT tenant_id, agent_did, 'paid_' || (10000000000 + authorized_at / 32768), currency, COUNT(*),
    SUM(amount_minor / 67108864), SUM(amount_minor % 67108864)
  FROM payments WHERE authorized_at >= (SELECT MAX(authorized_at) FROM payments) - 6048000000
    AND status NOT IN ('FAILED', 'CANCELED')
  GROUP BY tenant_id, agent_did, authorized_at / 32768, currency;
INSERT INTO spending_sums (tenant_id, scope, bucket, currency, transactions, high, low)
  SELECT tenant_id, 'policy', bucket, currency, SUM(transactions), SUM(high), SUM(low)
  FROM spending_sums GROUP BY tenant_id, bucket, currency;
-- And of the shared payment tokens, by status, for their statistics.
INSERT INTO spending_sums (tenant_id, scope, bucket, currency, transactions, high, low)
  SELECT tenant_id, status, 'spt_', currency, COUNT(*), SUM(amount_minor / 67108864), SUM(amount_minor % 67108864)
  FROM shared_payment_tokens GROUP BY tenant_id, status, currency;
