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
