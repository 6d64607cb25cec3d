-- Lists read views (src/store/views): here they are queries of the ledger. Beside an SQLite file its node keeps them in a second
-- file with indexes of their own, so that a purchase does not write what no decision reads; PostgreSQL has these indexes on the ledger.
CREATE VIEW evidence_lists AS
  SELECT tenant_id, seq, event_type, actor_did, transaction_id, context_id, created_at FROM evidence;
CREATE VIEW payment_lists AS
  SELECT tenant_id, mandate_id, transaction_id, agent_did, principal_did, merchant, created_at FROM payments;
/* sqlite only */ DROP INDEX evidence_by_actor;
/* sqlite only */ DROP INDEX evidence_by_type;
/* sqlite only */ DROP INDEX evidence_by_transaction;
/* sqlite only */ DROP INDEX evidence_by_context;
/* sqlite only */ DROP INDEX payments_by_agent;
/* sqlite only */ DROP INDEX payments_by_merchant;
/* sqlite only */ DROP INDEX payments_by_principal;
/* sqlite only */ DROP INDEX payments_by_transaction;
