-- Whom a tenant tells of an approval that is not decided, one after the other, and when the next one is told.
ALTER TABLE tenants ADD COLUMN escalation TEXT;
ALTER TABLE approval_requests ADD COLUMN escalate_at BIGINT;
ALTER TABLE approval_requests ADD COLUMN escalated TEXT;
CREATE INDEX approval_requests_to_escalate ON approval_requests (escalate_at)
  WHERE escalate_at IS NOT NULL AND status = 'pending';

-- When a place for notifications is sent its next digest, and by which clock.
ALTER TABLE webhooks ADD COLUMN digest TEXT;
ALTER TABLE webhooks ADD COLUMN digest_at BIGINT;
CREATE INDEX webhooks_by_digest ON webhooks (digest_at) WHERE digest_at IS NOT NULL;
