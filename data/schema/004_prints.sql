-- What a purchase is of, as a hash of who pays, the merchant, the total and the items: equal purchases have one print. Null for
-- what was approved or paid before prints were kept.

ALTER TABLE approvals ADD COLUMN print TEXT;
ALTER TABLE payments ADD COLUMN print TEXT;
CREATE INDEX payments_by_print ON payments (tenant_id, print, created_at) WHERE print IS NOT NULL;
CREATE INDEX approvals_by_print ON approvals (tenant_id, print, expires_at) WHERE status = 'LIVE' AND print IS NOT NULL;
