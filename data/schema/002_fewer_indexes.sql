-- Most payments are captured and most intents used, so that a walk through the newest finds what is in such a state; an index
-- leads to the rare states alone, which a purchase does not enter.
DROP INDEX payments_by_status;
DROP INDEX payments_by_amount;
DROP INDEX intents_by_status;
CREATE INDEX payments_in_rare_state ON payments (tenant_id, status, mandate_id) WHERE status NOT IN ('PENDING', 'AUTHORIZED', 'CAPTURED');
