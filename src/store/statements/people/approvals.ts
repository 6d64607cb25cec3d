/** Requests for a person's approval of one cart. */
import type { ApprovalStatus } from '../../../../protocol/approval.ts';
import { all, get, run, type Script } from '../../store.ts';

export interface ApprovalRequestRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly status: ApprovalStatus;
  readonly agent_did: string;
  readonly principal_did: string;
  readonly intent_id: string;
  readonly transaction_id: string;
  readonly context_id: string | null;
  readonly cart_hash: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly merchant: string;
  /** JSON: the cart's items as the merchant signed them. */
  readonly items: string;
  /** JSON: why a person is asked. */
  readonly causes: string;
  /** JSON: the signed proof, once approved. */
  readonly hp_proof: string | null;
  readonly created_at: number;
  readonly expires_at: number;
  readonly decided_at: number | null;
}

export function* insertApprovalRequest(
  request: Omit<ApprovalRequestRow, 'status' | 'hp_proof' | 'decided_at'>,
): Script<void> {
  yield* run(
    `INSERT INTO approval_requests (id, tenant_id, status, agent_did, principal_did, intent_id, transaction_id,
       context_id, cart_hash, amount_minor, currency, merchant, items, causes, created_at, expires_at)
     VALUES (?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    request.id,
    request.tenant_id,
    request.agent_did,
    request.principal_did,
    request.intent_id,
    request.transaction_id,
    request.context_id,
    request.cart_hash,
    request.amount_minor,
    request.currency,
    request.merchant,
    request.items,
    request.causes,
    request.created_at,
    request.expires_at,
  );
}

export function* findApprovalRequest(tenantId: string, id: string): Script<ApprovalRequestRow | undefined> {
  return yield* get<ApprovalRequestRow>('SELECT * FROM approval_requests WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** For the person's page, which knows the id alone. */
export function* findApprovalRequestAnywhere(id: string): Script<ApprovalRequestRow | undefined> {
  return yield* get<ApprovalRequestRow>('SELECT * FROM approval_requests WHERE id = ?', id);
}

/** The last request for this very cart. */
export function* findLastApprovalRequest(
  tenantId: string,
  intentId: string,
  cartHash: string,
): Script<ApprovalRequestRow | undefined> {
  return yield* get<ApprovalRequestRow>(
    `SELECT * FROM approval_requests WHERE tenant_id = ? AND intent_id = ? AND cart_hash = ?
     ORDER BY created_at DESC, id DESC LIMIT 1`,
    tenantId,
    intentId,
    cartHash,
  );
}

/** Newest first; `before` is the id of the last one on the page before. */
export function* listApprovalRequests(
  tenantId: string,
  filter: { readonly status: ApprovalStatus | undefined; readonly now: number },
  before: string | undefined,
  limit: number,
): Script<ApprovalRequestRow[]> {
  const [condition, args] = conditionOf(filter.status, filter.now);
  return yield* all<ApprovalRequestRow>(
    `SELECT * FROM approval_requests WHERE tenant_id = ? AND id < ? ${condition} ORDER BY id DESC LIMIT ?`,
    tenantId,
    before ?? '~',
    ...args,
    limit,
  );
}

/** What is overdue counts as expired before it is written down so. */
function conditionOf(status: ApprovalStatus | undefined, now: number): readonly [string, (string | number)[]] {
  if (status === undefined) return ['', []];
  if (status === 'pending') return ["AND status = 'pending' AND expires_at > ?", [now]];
  if (status === 'expired') return ["AND (status = 'expired' OR (status = 'pending' AND expires_at <= ?))", [now]];
  return ['AND status = ?', [status]];
}

/** False when it was settled before. */
export function* settleApprovalRequest(
  id: string,
  status: Exclude<ApprovalStatus, 'pending'>,
  hpProof: string | null,
  now: number,
): Script<boolean> {
  const changes = yield* run(
    "UPDATE approval_requests SET status = ?, hp_proof = ?, decided_at = ? WHERE id = ? AND status = 'pending'",
    status,
    hpProof,
    now,
    id,
  );
  return changes === 1;
}

export function* listOverdueApprovalRequests(now: number, limit: number): Script<ApprovalRequestRow[]> {
  return yield* all<ApprovalRequestRow>(
    "SELECT * FROM approval_requests WHERE status = 'pending' AND expires_at <= ? ORDER BY expires_at LIMIT ?",
    now,
    limit,
  );
}
