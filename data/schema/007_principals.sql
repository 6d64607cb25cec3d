-- A principal that is registered is governed: only the agents it delegates to may spend its money, and its own passkeys
-- approve. Passkeys, challenges and enrollment links belong to an agent or to a principal.
CREATE TABLE principals (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  did TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, did)
);
CREATE INDEX principals_by_age ON principals (tenant_id, created_at, did);

CREATE TABLE delegations (
  tenant_id TEXT NOT NULL,
  principal_did TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, principal_did, agent_did)
);

ALTER TABLE passkeys RENAME COLUMN agent_did TO holder_did;
ALTER TABLE passkeys ADD COLUMN holder_kind TEXT NOT NULL DEFAULT 'agent';
ALTER TABLE presence_challenges RENAME COLUMN agent_did TO holder_did;
ALTER TABLE presence_challenges ADD COLUMN holder_kind TEXT NOT NULL DEFAULT 'agent';
-- With the binding, what the challenge was made of: whoever has both can check what the passkey signed.
ALTER TABLE presence_challenges ADD COLUMN random TEXT NOT NULL DEFAULT '';
ALTER TABLE enrollments RENAME COLUMN agent_did TO holder_did;
ALTER TABLE enrollments ADD COLUMN holder_kind TEXT NOT NULL DEFAULT 'agent';

-- What a person was shown: the signed members of the cart, and what would be paid with.
ALTER TABLE approval_requests ADD COLUMN cart TEXT NOT NULL DEFAULT '{}';
ALTER TABLE approval_requests ADD COLUMN paying TEXT;
ALTER TABLE approvals ADD COLUMN paying TEXT;
-- A cart that a person denied is not asked for again, whichever intent it comes with.
CREATE INDEX approval_requests_denied ON approval_requests (tenant_id, cart_hash) WHERE status = 'denied';

-- The passkeys of an agent that has only ever bought for one principal are that principal's.
UPDATE passkeys SET holder_kind = 'principal', holder_did = (
    SELECT MIN(intents.principal_did) FROM intents
    WHERE intents.tenant_id = passkeys.tenant_id AND intents.agent_did = passkeys.holder_did)
  WHERE 1 = (
    SELECT COUNT(DISTINCT intents.principal_did) FROM intents
    WHERE intents.tenant_id = passkeys.tenant_id AND intents.agent_did = passkeys.holder_did);

-- A principal with an instrument or a passkey is governed, and the agents that bought for it go on doing so.
INSERT INTO principals (tenant_id, did, name, created_at)
  SELECT tenant_id, holder_did, holder_did, MIN(created_at) FROM (
    SELECT tenant_id, holder_did, created_at FROM instruments WHERE holder_kind = 'principal'
    UNION ALL
    SELECT tenant_id, holder_did, created_at FROM passkeys WHERE holder_kind = 'principal'
  ) AS holders GROUP BY tenant_id, holder_did;
INSERT INTO delegations (tenant_id, principal_did, agent_did, created_at)
  SELECT DISTINCT principals.tenant_id, principals.did, intents.agent_did, principals.created_at
  FROM principals JOIN intents ON intents.tenant_id = principals.tenant_id AND intents.principal_did = principals.did;
