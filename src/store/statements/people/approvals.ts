/** Requests for a person's approval of one cart. */

import type { ApprovalEnd, ApprovalStatus, DecidedBy } from '../../../../protocol/approval.ts';
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, changed, count, exists, get, type Script, send } from '../../store.ts';
import { type DeleteOldest, deleteOldest, equal, findById, listPageAt, type Span, within } from '../queries.ts';
import {
  DAY_MS,
  insertInto,
  integer,
  later,
  type NewRow,
  nullable,
  oneOf,
  type RowOf,
  table,
  text,
} from '../tableDefinition.ts';
import { type WalkResult, walkNewest } from '../walk.ts';

export const approvalRequests = table(
  'approval_requests',
  ['id'],
  {
    id: text,
    tenant_id: text,
    status: oneOf<ApprovalStatus>(),
    agent_did: text,
    principal_did: text,
    intent_id: text,
    transaction_id: text,
    context_id: nullable(text),
    cart_hash: text,
    amount_minor: integer,
    currency: text,
    merchant: text,
    /** JSON: the cart's items as the merchant signed them. */
    items: text,
    /** JSON: why a person is asked. */
    causes: text,
    /** JSON: the signed proof, once approved. */
    hp_proof: later(nullable(text)),
    created_at: integer,
    expires_at: integer,
    decided_at: later(nullable(integer)),
    /** JSON: what the merchant signed besides the items. */
    cart: text,
    /** JSON: what would be paid with. */
    paying: nullable(text),
    decided_by: later(nullable(oneOf<DecidedBy>())),
    /** When the people who were asked are told once more; null once they were, or one of them has answered. */
    remind_at: nullable(integer),
    /** When the next user is told; null where none is. */
    escalate_at: nullable(integer),
    /** JSON: the users who were told since, and when. */
    escalated: later(nullable(text)),
    /** What ends with it; null where that was not noted yet. */
    ends_with: nullable(oneOf<ApprovalEnd>()),
  },
  {
    // The evidence has the decision.
    retention: {
      goes: '90 days after it was made',
      purges: [(limit, now) => deleteApprovalRequestsBefore(limit, firstIdAt('apr_', now - 90 * DAY_MS))],
    },
    isTestData: true,
  },
);
export type ApprovalRequestRow = RowOf<typeof approvalRequests>;

const insertRequest = insertInto(approvalRequests);

export function insertApprovalRequest(request: Omit<NewRow<typeof approvalRequests>, 'status'>): Script<void> {
  return insertRequest({ ...request, status: 'pending' });
}

export const findApprovalRequest = findById(approvalRequests);

/** For the person's page, which knows only the id. */
export function findApprovalRequestAnywhere(id: string): Script<ApprovalRequestRow | undefined> {
  return get('SELECT * FROM approval_requests WHERE id = ?', id);
}

/** What becomes of a request, and whose it is: all that a poll looks at. */
type ApprovalSummary = Pick<ApprovalRequestRow, 'tenant_id' | 'agent_did' | 'principal_did' | 'status' | 'expires_at'>;

export function findApprovalStanding(id: string): Script<ApprovalSummary | undefined> {
  return get('SELECT tenant_id, agent_did, principal_did, status, expires_at FROM approval_requests WHERE id = ?', id);
}

/** The latest request for this cart. */
export function findLastApprovalRequest(
  tenantId: string,
  intentId: string,
  cartHash: string,
): Script<ApprovalRequestRow | undefined> {
  const sql = `SELECT * FROM approval_requests WHERE tenant_id = ? AND intent_id = ? AND cart_hash = ?
     ORDER BY created_at DESC, id DESC LIMIT 1`;
  return get(sql, tenantId, intentId, cartHash);
}

/** Those of an intent that no person has decided yet. A condition on the status would lead through all that are pending. */
export function* listPendingApprovalsOf(tenantId: string, intentId: string): Script<ApprovalRequestRow[]> {
  const sql = 'SELECT * FROM approval_requests WHERE tenant_id = ? AND intent_id = ?';
  const rows = yield* all<ApprovalRequestRow>(sql, tenantId, intentId);
  return rows.filter(({ status }) => status === 'pending');
}

/** Whether a person has denied this cart to the principal before. */
export function wasCartDenied(tenantId: string, cartHash: string, principalDid: string): Script<boolean> {
  const sql = `SELECT 1 FROM approval_requests WHERE tenant_id = ? AND cart_hash = ? AND status = 'denied'
    AND principal_did = ? AND COALESCE(decided_by, '') <> 'agent' LIMIT 1`;
  return exists(sql, tenantId, cartHash, principalDid);
}

/** Whether the agent itself has withdrawn this cart before: its own last word, and no other agent's. */
export function wasCartWithdrawn(tenantId: string, cartHash: string, agentDid: string): Script<boolean> {
  const sql = `SELECT 1 FROM approval_requests WHERE tenant_id = ? AND cart_hash = ? AND status = 'denied'
    AND agent_did = ? AND decided_by = 'agent' LIMIT 1`;
  return exists(sql, tenantId, cartHash, agentDid);
}

/** Newest first; `before` is the id of the last one on the page before. Overdue ones count as expired. */
export function* listApprovalRequests(
  tenantId: string,
  filter: Span & {
    readonly status: ApprovalStatus | undefined;
    readonly agentDid: string | undefined;
    readonly merchant: string | undefined;
    readonly now: number;
  },
  before: string | undefined,
  limit: number,
): Script<WalkResult<ApprovalRequestRow>> {
  const { status, agentDid, merchant, now } = filter;
  const conditions = [
    equal('tenant_id', tenantId),
    equal('agent_did', agentDid),
    ...within('id', 'apr_', filter, before),
  ];
  if (merchant === undefined && (status === undefined || agentDid === undefined)) {
    const words = { open: 'pending', over: 'expired' };
    return { rows: yield* listPageAt(approvalRequests, words, { status, now }, conditions, 'id DESC', limit) };
  }
  const fits = (row: Pick<ApprovalRequestRow, (typeof WALKED)[number]>) =>
    (merchant === undefined || row.merchant === merchant) &&
    (status === undefined || (row.status === 'pending' && row.expires_at <= now ? 'expired' : row.status) === status);
  const placeOf = ({ id }: Pick<ApprovalRequestRow, 'id'>) => id;
  const list = { conditions, order: ['id'], placeOf, columns: WALKED, fits } as const;
  return yield* walkNewest(approvalRequests, list, limit);
}

const WALKED = ['merchant', 'status', 'expires_at'] as const;

/** How many wait for a person, counted up to a number. */
export function countPendingApprovals(tenantId: string, now: number, most: number): Script<number> {
  const pending =
    "SELECT id FROM approval_requests WHERE tenant_id = ? AND status = 'pending' AND expires_at > ? LIMIT ?";
  return count(`SELECT COUNT(*) AS count FROM (${pending}) AS pending`, tenantId, now, most);
}

/** False when it was settled before. */
export function settleApprovalRequest(
  id: string,
  outcome: {
    readonly status: Exclude<ApprovalStatus, 'pending'>;
    readonly hpProof: string | null;
    readonly by: DecidedBy | null;
  },
  now: number,
): Script<boolean> {
  const { status, hpProof, by } = outcome;
  const sql = `UPDATE approval_requests SET status = ?, hp_proof = ?, decided_by = ?, decided_at = ?
     WHERE id = ? AND status = 'pending'`;
  return changed(sql, status, hpProof, by, now, id);
}

export function listOverdueApprovalRequests(now: number, limit: number): Script<ApprovalRequestRow[]> {
  const sql =
    "SELECT * FROM approval_requests WHERE status = 'pending' AND expires_at <= ? ORDER BY expires_at LIMIT ?";
  return all(sql, now, limit);
}

export function listRequestsToRemind(now: number, limit: number): Script<ApprovalRequestRow[]> {
  const sql = "SELECT * FROM approval_requests WHERE remind_at <= ? AND status = 'pending' ORDER BY remind_at LIMIT ?";
  return all(sql, now, limit);
}

/** False where people were reminded before, or one of them has answered. */
export function markReminded(tenantId: string, id: string): Script<boolean> {
  const sql = `UPDATE approval_requests SET remind_at = NULL WHERE tenant_id = ? AND id = ? AND status = 'pending'
    AND remind_at IS NOT NULL`;
  return changed(sql, tenantId, id);
}

export function listRequestsToEscalate(now: number, limit: number): Script<ApprovalRequestRow[]> {
  const sql = `SELECT * FROM approval_requests WHERE escalate_at <= ? AND status = 'pending'
     ORDER BY escalate_at LIMIT ?`;
  return all(sql, now, limit);
}

/** False where it was escalated since it was read, or decided. */
export function setNextEscalation(
  { tenant_id, id, escalate_at }: ApprovalRequestRow,
  next: { readonly escalated: string; readonly nextAt: number | null },
): Script<boolean> {
  const sql = `UPDATE approval_requests SET escalated = ?, escalate_at = ? WHERE tenant_id = ? AND id = ?
    AND status = 'pending' AND escalate_at = ?`;
  return changed(sql, next.escalated, next.nextAt, tenant_id, id, escalate_at);
}

/** Some people have answered, and others are still to. */
export function endReminder(tenantId: string, id: string): Script<void> {
  return send('UPDATE approval_requests SET remind_at = NULL WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** Deletes decided and expired requests. @param args the smallest id that stays */
const deleteApprovalRequestsBefore: DeleteOldest = deleteOldest(
  approvalRequests,
  "id < ? AND status <> 'pending'",
  'id',
);
