/** Approvals: a validated cart waiting to be paid. The token itself is never stored, only its hash. */
import { get, run, type Script } from '../../store.ts';

export interface ApprovalRow {
  readonly token_hash: string;
  readonly tenant_id: string;
  readonly intent_id: string;
  readonly agent_did: string;
  readonly status: 'LIVE' | 'USED' | 'VOID';
  readonly cart_hash: string;
  readonly cart: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly merchant: string;
  readonly rail: string;
  readonly rail_account_id: string | null;
  readonly presence_id: string | null;
  /** The presence proof as it was signed. */
  readonly hp_proof: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

export function* insertApproval(approval: ApprovalRow): Script<void> {
  yield* run(
    `INSERT INTO approvals (token_hash, tenant_id, intent_id, agent_did, status, cart_hash, cart, amount_minor, currency,
       merchant, rail, rail_account_id, presence_id, hp_proof, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    approval.token_hash,
    approval.tenant_id,
    approval.intent_id,
    approval.agent_did,
    approval.status,
    approval.cart_hash,
    approval.cart,
    approval.amount_minor,
    approval.currency,
    approval.merchant,
    approval.rail,
    approval.rail_account_id,
    approval.presence_id,
    approval.hp_proof,
    approval.created_at,
    approval.expires_at,
  );
}

export function* findApproval(tenantId: string, tokenHash: string): Script<ApprovalRow | undefined> {
  return yield* get<ApprovalRow>('SELECT * FROM approvals WHERE token_hash = ? AND tenant_id = ?', tokenHash, tenantId);
}

/** The approval that a cart was last validated with. */
export function* findApprovalOfCart(
  tenantId: string,
  intentId: string,
  cartHash: string,
): Script<ApprovalRow | undefined> {
  return yield* get<ApprovalRow>(
    `SELECT * FROM approvals WHERE tenant_id = ? AND cart_hash = ? AND intent_id = ?
     ORDER BY CASE status WHEN 'USED' THEN 0 WHEN 'LIVE' THEN 1 ELSE 2 END, created_at DESC LIMIT 1`,
    tenantId,
    cartHash,
    intentId,
  );
}

/** A cart that was approved once, whatever came of the approval. */
export function* findApprovedCart(tenantId: string, cartHash: string): Script<ApprovalRow | undefined> {
  return yield* get<ApprovalRow>(
    'SELECT * FROM approvals WHERE tenant_id = ? AND cart_hash = ? ORDER BY created_at DESC LIMIT 1',
    tenantId,
    cartHash,
  );
}

/** At most one approval of an intent is live: a new one takes the place of the former. */
export function* voidApprovals(tenantId: string, intentId: string): Script<void> {
  yield* run(
    "UPDATE approvals SET status = 'VOID' WHERE tenant_id = ? AND intent_id = ? AND status = 'LIVE'",
    tenantId,
    intentId,
  );
}

export function* useApproval(tokenHash: string): Script<void> {
  yield* run("UPDATE approvals SET status = 'USED' WHERE token_hash = ?", tokenHash);
}

/** Marks a presence proof as used; false when it was used before. */
export function* usePresence(tenantId: string, id: string, now: number): Script<boolean> {
  const changes = yield* run(
    'INSERT INTO presence_used (tenant_id, id, used_at) VALUES (?, ?, ?) ON CONFLICT (tenant_id, id) DO NOTHING',
    tenantId,
    id,
    now,
  );
  return changes === 1;
}

export function* wasPresenceUsed(tenantId: string, id: string): Script<boolean> {
  const row = yield* get('SELECT id FROM presence_used WHERE tenant_id = ? AND id = ?', tenantId, id);
  return row !== undefined;
}

/** A revoked agent's live approvals are void at once. */
export function* voidAgentApprovals(tenantId: string, agentDid: string): Script<void> {
  yield* run(
    "UPDATE approvals SET status = 'VOID' WHERE tenant_id = ? AND agent_did = ? AND status = 'LIVE'",
    tenantId,
    agentDid,
  );
}
