-- What needs a person, found without a look at what does not: no payment is in these before something is wrong with it.
CREATE INDEX payments_flagged ON payments (tenant_id, attention_at) WHERE attention_at IS NOT NULL;
CREATE INDEX payments_in_dispute ON payments (tenant_id, mandate_id) WHERE dispute_id IS NOT NULL AND dispute_outcome IS NULL;
