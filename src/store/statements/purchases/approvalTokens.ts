/** Approvals: a validated cart waiting to be paid. The token itself is never stored, only its hash. */
import { exists, get, run, type Script } from '../../store.ts';
import { insertInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';

export const approvals = table('approvals', ['token_hash'], {
  token_hash: text,
  tenant_id: text,
  intent_id: text,
  agent_did: text,
  status: oneOf<'LIVE' | 'USED' | 'VOID'>(),
  cart_hash: text,
  cart: text,
  amount_minor: integer,
  currency: text,
  merchant: text,
  rail: text,
  rail_account_id: nullable(text),
  presence_id: nullable(text),
  created_at: integer,
  expires_at: integer,
  /** The presence proof as it was signed. */
  hp_proof: nullable(text),
});
export type ApprovalRow = RowOf<typeof approvals>;

export const insertApproval = insertInto(approvals);

export function findApproval(tenantId: string, tokenHash: string): Script<ApprovalRow | undefined> {
  return get('SELECT * FROM approvals WHERE token_hash = ? AND tenant_id = ?', tokenHash, tenantId);
}

/** The approval that a cart was last validated with. */
export function findApprovalOfCart(
  tenantId: string,
  intentId: string,
  cartHash: string,
): Script<ApprovalRow | undefined> {
  const sql = `SELECT * FROM approvals WHERE tenant_id = ? AND cart_hash = ? AND intent_id = ?
     ORDER BY CASE status WHEN 'USED' THEN 0 WHEN 'LIVE' THEN 1 ELSE 2 END, created_at DESC LIMIT 1`;
  return get(sql, tenantId, cartHash, intentId);
}

/** A cart that was approved once, whatever came of the approval. */
export function findApprovedCart(tenantId: string, cartHash: string): Script<ApprovalRow | undefined> {
  const sql = 'SELECT * FROM approvals WHERE tenant_id = ? AND cart_hash = ? ORDER BY created_at DESC LIMIT 1';
  return get(sql, tenantId, cartHash);
}

/** At most one approval of an intent is live: a new one takes the place of the former. */
export function voidApprovals(tenantId: string, intentId: string): Script<number> {
  const sql = "UPDATE approvals SET status = 'VOID' WHERE tenant_id = ? AND intent_id = ? AND status = 'LIVE'";
  return run(sql, tenantId, intentId);
}

/** A revoked agent's live approvals are void at once. */
export function voidAgentApprovals(tenantId: string, agentDid: string): Script<number> {
  const sql = "UPDATE approvals SET status = 'VOID' WHERE tenant_id = ? AND agent_did = ? AND status = 'LIVE'";
  return run(sql, tenantId, agentDid);
}

export function useApproval(tokenHash: string): Script<number> {
  return run("UPDATE approvals SET status = 'USED' WHERE token_hash = ?", tokenHash);
}

export const presenceUsed = table('presence_used', ['tenant_id', 'id'], {
  tenant_id: text,
  id: text,
  used_at: integer,
});

const insertUsedPresence = insertInto(presenceUsed, 'ON CONFLICT (tenant_id, id) DO NOTHING');

/** Marks a presence proof as used; false when it was used before. */
export function usePresence(tenantId: string, id: string, now: number): Script<boolean> {
  return insertUsedPresence({ tenant_id: tenantId, id, used_at: now });
}

export function wasPresenceUsed(tenantId: string, id: string): Script<boolean> {
  return exists('SELECT id FROM presence_used WHERE tenant_id = ? AND id = ?', tenantId, id);
}
