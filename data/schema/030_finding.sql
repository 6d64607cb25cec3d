-- Payments of exactly an amount, the newest first.
/* sqlite only */ CREATE INDEX payments_by_amount ON payments (tenant_id, currency, amount_minor, mandate_id)
  WHERE listed_as <> '';
/* postgres only */ CREATE INDEX payments_by_amount ON payments (tenant_id, currency, amount_minor, mandate_id);

-- Agents by the beginning of their DID or their name.
CREATE INDEX agents_by_did ON agents (tenant_id, did);
CREATE INDEX agents_by_name ON agents (tenant_id, display_name, did);
