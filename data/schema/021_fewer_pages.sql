-- What an ordinary purchase writes for decisions, in fewer B-trees.
-- Whether an agent has paid a merchant before is a row that is written once, in place of an index of all payments.
CREATE TABLE agent_merchants (
  tenant_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  merchant TEXT NOT NULL,
  first_payment TEXT NOT NULL,
  PRIMARY KEY (tenant_id, agent_did, merchant)
);
INSERT INTO agent_merchants (tenant_id, agent_did, merchant, first_payment)
  SELECT tenant_id, agent_did, merchant, MIN(mandate_id) FROM payments
  WHERE status IN ('AUTHORIZED', 'CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED', 'CANCELED')
  GROUP BY tenant_id, agent_did, merchant;
DROP INDEX payments_once_at_merchant;
-- The keys of a payment's attempts begin with its id.
DROP INDEX rail_attempts_by_payment;
-- A token that was not paid with is void, or live and found by its intent.
CREATE INDEX approvals_void ON approvals (tenant_id, created_at) WHERE status = 'VOID';
DROP INDEX approvals_unused;
