-- Presence proofs that a node issued. A proof is accepted only when it is one of these, so that whoever steals a signing
-- key cannot make a person present.
CREATE TABLE presence_issued (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX presence_issued_by_age ON presence_issued (expires_at);
