-- What needs a person, found without a look at what does not: no payment is in these before something is wrong with it.
CREATE INDEX payments_flagged ON payments (tenant_id, attention_at) WHERE attention_at IS NOT NULL;
CREATE INDEX payments_in_dispute ON payments (tenant_id, mandate_id) WHERE dispute_id IS NOT NULL AND dispute_outcome IS NULL;

-- Payments of exactly an amount, the newest first.
/* sqlite only */ CREATE INDEX payments_by_amount ON payments (tenant_id, currency, amount_minor, mandate_id)
  WHERE listed_as <> '';
/* postgres only */ CREATE INDEX payments_by_amount ON payments (tenant_id, currency, amount_minor, mandate_id);

-- Agents by the beginning of their DID or their name.
CREATE INDEX agents_by_did ON agents (tenant_id, did);
CREATE INDEX agents_by_name ON agents (tenant_id, display_name, did);
