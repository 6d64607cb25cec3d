-- The tables, one text for SQLite and PostgreSQL: times are integer milliseconds, money is integer minor units, JSON is text,
-- flags are 0 or 1, and every row carries its tenant. src/store/statements says what each column means. Each index is there for a
-- query that a comment names; filters without one walk a bounded part of their list.

CREATE TABLE tenants (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  webhooks_version TEXT NOT NULL DEFAULT ''
);

CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE nodes (
  node_id TEXT PRIMARY KEY,
  seen_at BIGINT NOT NULL
);

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  permissions TEXT NOT NULL,
  tier TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  revoked_at BIGINT,
  made_by TEXT,
  user_id TEXT,
  ceiling TEXT,
  agents TEXT
);

CREATE TABLE agents (
  did TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  status TEXT NOT NULL,
  display_name TEXT NOT NULL,
  description TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  velocity TEXT,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  reason TEXT,
  place TEXT NOT NULL DEFAULT '',
  owner_user_id TEXT
);
CREATE INDEX agents_newest ON agents (tenant_id, place, created_at, did);
CREATE INDEX agents_by_status ON agents (tenant_id, status, place, created_at, did);
CREATE INDEX agents_by_name ON agents (tenant_id, display_name, did);

CREATE TABLE merchants (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  domain TEXT NOT NULL,
  did TEXT NOT NULL,
  rail_account_id TEXT,
  created_at BIGINT NOT NULL,
  rail_profile_id TEXT,
  mcc TEXT,
  country TEXT,
  jwk TEXT
);
CREATE UNIQUE INDEX merchants_by_domain ON merchants (tenant_id, domain, did);

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
CREATE INDEX delegations_by_agent ON delegations (tenant_id, agent_did);

CREATE TABLE instruments (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  holder_did TEXT NOT NULL,
  holder_kind TEXT NOT NULL,
  payment_method TEXT NOT NULL,
  customer TEXT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX instruments_by_holder ON instruments (tenant_id, holder_did, payment_method);

CREATE TABLE policies (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  version BIGINT NOT NULL,
  name TEXT NOT NULL,
  rules TEXT NOT NULL,
  hash TEXT NOT NULL,
  is_active BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  place TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (tenant_id, id, version)
);
CREATE UNIQUE INDEX policies_current ON policies (tenant_id) WHERE is_active = 1;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  -- Who the provider says it is; an e-mail address may change hands and identifies no person.
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  did TEXT NOT NULL,
  email TEXT,
  role TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  last_login_at BIGINT NOT NULL,
  removed_at BIGINT,
  name TEXT,
  UNIQUE (tenant_id, issuer, subject)
);

CREATE TABLE logins (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  ended_at BIGINT,
  way TEXT,
  device TEXT,
  last_used_at BIGINT,
  touched_at BIGINT,
  touched_with TEXT
);

CREATE TABLE refresh_tokens (
  hash TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  login_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);

CREATE TABLE login_attempts_used (
  state TEXT PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  token_hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  name TEXT,
  -- Who they will be, or are.
  user_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT
);

CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  holder_did TEXT NOT NULL,
  credential_id TEXT NOT NULL UNIQUE,
  -- COSE key (RFC 9052), base64url.
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  device_name TEXT NOT NULL,
  is_synced BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  holder_kind TEXT NOT NULL DEFAULT 'agent'
);
CREATE INDEX passkeys_by_holder ON passkeys (tenant_id, holder_did, holder_kind, id);

CREATE TABLE presence_challenges (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  purpose TEXT NOT NULL,
  holder_did TEXT NOT NULL,
  challenge TEXT NOT NULL UNIQUE,
  binding TEXT NOT NULL,
  -- The approval or the enrollment link that the ceremony is for.
  subject_id TEXT,
  device_name TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  holder_kind TEXT NOT NULL DEFAULT 'agent',
  random TEXT NOT NULL DEFAULT ''
);

CREATE TABLE presence_issued (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  hash TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE presence_used (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  used_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);

CREATE TABLE enrollments (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  token_hash TEXT NOT NULL UNIQUE,
  holder_did TEXT NOT NULL,
  device_name TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  holder_kind TEXT NOT NULL DEFAULT 'agent'
);

CREATE TABLE approval_requests (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  status TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  principal_did TEXT NOT NULL,
  intent_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  context_id TEXT,
  cart_hash TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  merchant TEXT NOT NULL,
  items TEXT NOT NULL,
  causes TEXT NOT NULL,
  hp_proof TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  decided_at BIGINT,
  cart TEXT NOT NULL DEFAULT '{}',
  paying TEXT,
  decided_by TEXT
);
CREATE INDEX approval_requests_by_tenant ON approval_requests (tenant_id, id);
CREATE INDEX approval_requests_by_cart ON approval_requests (tenant_id, intent_id, cart_hash);
CREATE INDEX approval_requests_to_expire ON approval_requests (expires_at) WHERE status = 'pending';
CREATE INDEX approval_requests_denied ON approval_requests (tenant_id, cart_hash) WHERE status = 'denied';
CREATE INDEX approval_requests_by_status ON approval_requests (tenant_id, status, id);
CREATE INDEX approval_requests_by_agent ON approval_requests (tenant_id, agent_did, id);

CREATE TABLE requests (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  request_key TEXT NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL,
  gate TEXT NOT NULL,
  envelope TEXT NOT NULL,
  answer TEXT,
  attempt_key TEXT,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, request_key)
);
CREATE INDEX requests_by_age ON requests (created_at);
CREATE INDEX requests_open ON requests (attempt_key) WHERE attempt_key IS NOT NULL;

CREATE TABLE proofs_seen (
  did TEXT NOT NULL,
  jti TEXT NOT NULL,
  request_id TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (did, jti)
);
CREATE INDEX proofs_seen_by_age ON proofs_seen (expires_at);

CREATE TABLE sessions (
  tenant_id TEXT NOT NULL,
  context_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  user_did TEXT NOT NULL,
  status TEXT NOT NULL,
  message_count BIGINT NOT NULL,
  intent_mandate_id TEXT,
  permit_id TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  place TEXT NOT NULL DEFAULT '',
  -- The name before the agent, so that a name is found without one as well.
  PRIMARY KEY (tenant_id, context_id, agent_did)
);
CREATE INDEX sessions_newest ON sessions (tenant_id, place, created_at, context_id);
CREATE INDEX sessions_by_agent ON sessions (tenant_id, agent_did, place, created_at, context_id);

CREATE TABLE intents (
  tenant_id TEXT NOT NULL,
  mandate_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  context_id TEXT,
  agent_did TEXT NOT NULL,
  principal_did TEXT NOT NULL,
  status TEXT NOT NULL,
  max_minor BIGINT NOT NULL,
  reserved_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  merchant_domain TEXT,
  mcc TEXT,
  country TEXT,
  policy_id TEXT NOT NULL,
  policy_version BIGINT NOT NULL,
  policy_hash TEXT NOT NULL,
  credential TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  shopping TEXT,
  PRIMARY KEY (tenant_id, mandate_id)
);
CREATE INDEX intents_to_expire ON intents (expires_at) WHERE status = 'ACTIVE';
CREATE INDEX intents_by_agent ON intents (tenant_id, agent_did, mandate_id);
CREATE INDEX intents_by_status ON intents (tenant_id, status, mandate_id);

CREATE TABLE velocity_windows (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  window_ms BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  amounts TEXT NOT NULL,
  left_through TEXT NOT NULL,
  oldest TEXT,
  PRIMARY KEY (tenant_id, scope, window_ms)
);

CREATE TABLE spending_sums (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  bucket TEXT NOT NULL,
  currency TEXT NOT NULL,
  transactions BIGINT NOT NULL,
  high BIGINT NOT NULL,
  low BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, bucket, currency)
);
CREATE INDEX spending_sums_by_age ON spending_sums (bucket);

CREATE TABLE approvals (
  token_hash TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  intent_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  status TEXT NOT NULL,
  cart_hash TEXT NOT NULL,
  cart TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  merchant TEXT NOT NULL,
  rail TEXT NOT NULL,
  rail_account_id TEXT,
  presence_id TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  hp_proof TEXT,
  paying TEXT
);
CREATE UNIQUE INDEX approvals_live ON approvals (tenant_id, intent_id) WHERE status = 'LIVE';
CREATE INDEX approvals_by_cart ON approvals (tenant_id, cart_hash);
CREATE INDEX approvals_unused ON approvals (created_at) WHERE status <> 'USED';

CREATE TABLE cart_signatures (
  tenant_id TEXT NOT NULL,
  merchant TEXT NOT NULL,
  jti_hash TEXT NOT NULL,
  brought_by TEXT NOT NULL,
  ends_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, merchant, jti_hash)
);
CREATE INDEX cart_signatures_by_end ON cart_signatures (ends_at);

CREATE TABLE payments (
  tenant_id TEXT NOT NULL,
  mandate_id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  context_id TEXT,
  intent_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  principal_did TEXT NOT NULL,
  status TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  captured_minor BIGINT NOT NULL,
  refunded_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  merchant TEXT NOT NULL,
  rail TEXT NOT NULL,
  rail_id TEXT,
  credential TEXT NOT NULL,
  error_code TEXT,
  error_message TEXT,
  created_at BIGINT NOT NULL,
  hold_until BIGINT,
  hold_warned BIGINT NOT NULL DEFAULT 0,
  dispute_id TEXT,
  dispute_outcome TEXT,
  authorized_at BIGINT NOT NULL DEFAULT 0,
  cart_hash TEXT,
  attention TEXT,
  attention_at BIGINT,
  refund_failed_at BIGINT,
  task_id TEXT,
  PRIMARY KEY (tenant_id, mandate_id)
);
CREATE UNIQUE INDEX payments_by_intent ON payments (tenant_id, intent_id);
CREATE INDEX payments_by_transaction ON payments (tenant_id, transaction_id);
CREATE INDEX payments_by_rail_id ON payments (rail_id) WHERE rail_id IS NOT NULL;
CREATE INDEX payments_held ON payments (hold_until) WHERE status = 'AUTHORIZED' AND hold_until IS NOT NULL;
CREATE INDEX payments_by_cart ON payments (tenant_id, cart_hash) WHERE cart_hash IS NOT NULL;
CREATE INDEX payments_by_agent ON payments (tenant_id, agent_did, mandate_id);
CREATE INDEX payments_by_agent_time ON payments (tenant_id, agent_did, authorized_at);
CREATE INDEX payments_by_merchant ON payments (tenant_id, merchant, mandate_id);
CREATE INDEX payments_by_status ON payments (tenant_id, status, mandate_id);
CREATE INDEX payments_by_time ON payments (tenant_id, authorized_at);
CREATE INDEX payments_flagged ON payments (tenant_id, attention_at) WHERE attention_at IS NOT NULL;
CREATE INDEX payments_in_dispute ON payments (tenant_id, mandate_id) WHERE dispute_id IS NOT NULL AND dispute_outcome IS NULL;
CREATE INDEX payments_by_amount ON payments (tenant_id, currency, amount_minor, mandate_id);
CREATE INDEX payments_by_principal ON payments (tenant_id, principal_did, created_at);
-- Whether an agent has paid a merchant before, and its usual amounts: those that failed are not read, however many there are.
CREATE INDEX payments_once_at_merchant ON payments (tenant_id, agent_did, merchant, mandate_id)
  WHERE status IN ('AUTHORIZED', 'CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED', 'CANCELED');
CREATE INDEX payments_once_in_currency ON payments (tenant_id, agent_did, currency, mandate_id)
  WHERE status IN ('AUTHORIZED', 'CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED', 'CANCELED');

CREATE TABLE spend_sums (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  days BIGINT NOT NULL,
  stretch BIGINT NOT NULL,
  name TEXT NOT NULL,
  currency TEXT NOT NULL,
  payments BIGINT NOT NULL,
  held_high BIGINT NOT NULL,
  held_low BIGINT NOT NULL,
  paid_high BIGINT NOT NULL,
  paid_low BIGINT NOT NULL,
  refunded_high BIGINT NOT NULL,
  refunded_low BIGINT NOT NULL,
  disputed_high BIGINT NOT NULL,
  disputed_low BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, days, stretch, name, currency)
) WITHOUT ROWID;

CREATE TABLE payment_windows (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  window_ms BIGINT NOT NULL,
  transactions BIGINT NOT NULL,
  amounts TEXT NOT NULL,
  left_until BIGINT NOT NULL,
  oldest BIGINT,
  PRIMARY KEY (tenant_id, scope, window_ms)
);

CREATE TABLE rail_attempts (
  attempt_key TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  payment_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  parameters TEXT NOT NULL,
  state TEXT NOT NULL,
  tries BIGINT NOT NULL,
  node_id TEXT NOT NULL,
  next_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  flagged_at BIGINT,
  outcome TEXT
);
CREATE INDEX rail_attempts_open ON rail_attempts (next_at) WHERE state = 'OPEN';
CREATE INDEX rail_attempts_by_payment ON rail_attempts (tenant_id, payment_id);

CREATE TABLE rail_events (
  event_id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX rail_events_by_age ON rail_events (created_at);

CREATE TABLE shared_payment_tokens (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  -- The rail's own id of it; none where the node made it.
  rail_token_id TEXT,
  status TEXT NOT NULL,
  merchant_domain TEXT NOT NULL,
  amount_minor BIGINT NOT NULL,
  currency TEXT NOT NULL,
  intent_id TEXT,
  cart_id TEXT,
  payment_id TEXT,
  transaction_id TEXT,
  context_id TEXT,
  -- The payment at the rail that used it.
  rail_payment_id TEXT,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  ended_at BIGINT
);
CREATE INDEX shared_payment_tokens_by_tenant ON shared_payment_tokens (tenant_id, id);
CREATE INDEX shared_payment_tokens_by_rail ON shared_payment_tokens (rail_token_id) WHERE rail_token_id IS NOT NULL;
CREATE INDEX shared_payment_tokens_to_expire ON shared_payment_tokens (expires_at) WHERE status = 'ACTIVE';

CREATE TABLE tasks (
  id TEXT NOT NULL PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  owner_kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  context_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  step TEXT,
  awaits TEXT,
  due_at BIGINT,
  node_id TEXT,
  seq BIGINT NOT NULL,
  pushes BIGINT NOT NULL,
  status_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  ended_at BIGINT,
  content TEXT NOT NULL,
  status TEXT
);
CREATE INDEX tasks_by_time ON tasks (tenant_id, status_at, id);
CREATE INDEX tasks_by_state ON tasks (tenant_id, state, status_at, id);
CREATE INDEX tasks_by_agent ON tasks (tenant_id, agent_did, status_at, id);
CREATE INDEX tasks_by_agent_and_state ON tasks (tenant_id, agent_did, state, status_at, id);
CREATE INDEX tasks_by_context ON tasks (tenant_id, context_id, status_at, id);
CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tasks_awaiting ON tasks (tenant_id, awaits) WHERE awaits IS NOT NULL;
CREATE INDEX tasks_ended ON tasks (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX tasks_leased ON tasks (node_id) WHERE node_id IS NOT NULL;

CREATE TABLE evidence (
  tenant_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  actor_did TEXT NOT NULL,
  data TEXT NOT NULL,
  hash_prev TEXT NOT NULL,
  hash_curr TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  transaction_id TEXT,
  context_id TEXT,
  run_seq BIGINT NOT NULL DEFAULT 1,
  latest_at BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, seq)
);
CREATE INDEX evidence_by_transaction ON evidence (tenant_id, transaction_id, seq) WHERE transaction_id IS NOT NULL;
-- An actor's events of one type. Their two columns as one: PostgreSQL would rather read all events of a type.
CREATE INDEX evidence_by_actor ON evidence (tenant_id, (actor_did || ' ' || event_type), seq);
CREATE INDEX evidence_by_type ON evidence (tenant_id, event_type, seq);
CREATE INDEX evidence_by_context ON evidence (tenant_id, context_id, seq) WHERE context_id IS NOT NULL;

CREATE TABLE evidence_subtrees (
  tenant_id TEXT NOT NULL,
  level BIGINT NOT NULL,
  number BIGINT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (tenant_id, level, number)
);

CREATE TABLE checkpoints (
  tenant_id TEXT NOT NULL,
  size BIGINT NOT NULL,
  note TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, size)
);

CREATE TABLE cosignatures (
  tenant_id TEXT NOT NULL,
  size BIGINT NOT NULL,
  -- The witness's verifier key.
  witness TEXT NOT NULL,
  line TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, size, witness)
);

CREATE TABLE chain_witnesses (
  tenant_id TEXT NOT NULL,
  witness TEXT NOT NULL,
  -- Of the last checkpoint that it cosigned.
  size BIGINT NOT NULL,
  -- Who asks it now, until due_at; without one it is not asked before.
  node_id TEXT,
  due_at BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  failure TEXT,
  failing_since BIGINT,
  -- That it contradicts the chain, the size that it has seen, and since when.
  refusal TEXT,
  seen_size BIGINT,
  refused_at BIGINT,
  PRIMARY KEY (tenant_id, witness)
);

CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  status TEXT NOT NULL,
  disabled_reason TEXT,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until BIGINT,
  failing_since BIGINT,
  created_at BIGINT NOT NULL,
  resuming BIGINT NOT NULL DEFAULT 0,
  task_id TEXT,
  user_id TEXT,
  least TEXT
);
CREATE INDEX webhooks_by_task ON webhooks (task_id, id) WHERE task_id IS NOT NULL;
CREATE INDEX webhooks_resuming ON webhooks (id) WHERE resuming = 1;
CREATE INDEX webhooks_of_owner ON webhooks (tenant_id, id) WHERE task_id IS NULL;

CREATE TABLE webhook_events (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  body TEXT NOT NULL
);

CREATE TABLE webhook_deliveries (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts BIGINT NOT NULL,
  max_attempts BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  leased_by TEXT,
  created_at BIGINT NOT NULL
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook_id, next_at) WHERE state = 'PENDING';
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (leased_by) WHERE state = 'LEASED';
CREATE INDEX webhook_deliveries_held_by_age ON webhook_deliveries (id) WHERE state = 'HELD';
CREATE INDEX webhook_deliveries_held_in_order ON webhook_deliveries (webhook_id, id) WHERE state = 'HELD';

CREATE TABLE webhook_attempts (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  url TEXT NOT NULL,
  attempt BIGINT NOT NULL,
  -- The state of the delivery after this attempt.
  outcome TEXT NOT NULL,
  -- 0 where there was no answer.
  status BIGINT NOT NULL,
  duration_ms BIGINT NOT NULL,
  error TEXT,
  answer TEXT,
  delivered_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (tenant_id, webhook_id, id);
CREATE INDEX webhook_attempts_by_event ON webhook_attempts (tenant_id, event_id, id);
