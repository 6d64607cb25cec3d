-- Wallets that pay on chains: whose they are, and, sealed, the key that signs for each.
CREATE TABLE wallets (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  network TEXT NOT NULL,
  address TEXT NOT NULL,
  sealed_key TEXT NOT NULL,
  rpc_url TEXT,
  agent_did TEXT,
  principal_did TEXT,
  assets TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  UNIQUE (tenant_id, network, address)
);
-- A purchase looks for those of its agent, of its principal, and of the tenant alone.
CREATE INDEX wallets_by_agent ON wallets (tenant_id, agent_did, id) WHERE agent_did IS NOT NULL;
CREATE INDEX wallets_by_principal ON wallets (tenant_id, principal_did, id) WHERE principal_did IS NOT NULL;
CREATE INDEX wallets_of_tenant ON wallets (tenant_id, id) WHERE agent_did IS NULL AND principal_did IS NULL;
-- What a payment by HTTP is paid with, where the node has it itself; such an instrument stays while a payment needs it.
ALTER TABLE http_payments ADD COLUMN instrument TEXT;
CREATE INDEX http_payments_by_instrument ON http_payments (instrument) WHERE instrument IS NOT NULL;
-- When what a merchant says of a settlement is compared with the chain.
ALTER TABLE http_payments ADD COLUMN confirm_at BIGINT;
CREATE INDEX http_payments_to_confirm ON http_payments (confirm_at) WHERE confirm_at IS NOT NULL;
