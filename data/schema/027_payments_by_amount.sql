-- Payments are listed by amount: the view has what leads there, with an index of its own beside an SQLite file (src/store/views).
DROP VIEW payment_lists;
CREATE VIEW payment_lists AS
  SELECT tenant_id, mandate_id, transaction_id, agent_did, principal_did, merchant, currency, amount_minor, created_at FROM payments;
/* postgres only */ CREATE INDEX payments_by_amount ON payments (tenant_id, currency, amount_minor, mandate_id);
