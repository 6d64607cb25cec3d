-- Approvals by several people: each touch that was given, and when people are reminded of what none of them has answered.
CREATE TABLE approval_touches (
  id TEXT NOT NULL,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  approval_id TEXT NOT NULL,
  holder_kind TEXT NOT NULL,
  holder_did TEXT NOT NULL,
  passkey_id TEXT NOT NULL,
  approved_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX approval_touches_by_approval ON approval_touches (tenant_id, approval_id);
CREATE INDEX approval_touches_by_age ON approval_touches (id);

ALTER TABLE approval_requests ADD COLUMN remind_at BIGINT;
CREATE INDEX approval_requests_to_remind ON approval_requests (remind_at) WHERE remind_at IS NOT NULL AND status = 'pending';
