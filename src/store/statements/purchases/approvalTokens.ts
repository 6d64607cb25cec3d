/** Approval tokens: each stands for a validated cart that may be paid. Only the hash of a token is stored. */
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { exists, get, type Script, send } from '../../store.ts';
import { type DeleteOldest, deleteOldest, flagOf, joinedColumns, rowOutOf } from '../queries.ts';
import { DAY_MS, insertInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import { hasStatus } from './credentialStatus.ts';
import { type IntentRow, intents } from './intents.ts';
import { isCartPaid } from './payments.ts';

export const approvalTokens = table(
  'approvals',
  ['token_hash'],
  {
    /** When the token was made, and its hash. */
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
    /** JSON: what the person was shown, or the mandate names, to be paid with; null where neither is. */
    paying: nullable(text),
    /** What would be bought (see purchasePrint); null where that was not recorded yet. */
    print: nullable(text),
    /** What would be bought, in a line (see describeItems); null where that was not recorded yet. */
    description: nullable(text),
  },
  {
    // Those that were used hold the cart that was paid.
    retention: {
      goes: '30 days after it was made, where nothing was paid with it',
      purges: [
        (limit, now, tenantId) => deleteVoidTokens(limit, tenantId, now - 30 * DAY_MS),
        (limit, now, tenantId) => deleteLiveTokensBefore(limit, tenantId, now - 30 * DAY_MS),
      ],
      byTenant: true,
    },
    isTestData: true,
  },
);
export type ApprovalTokenRow = RowOf<typeof approvalTokens>;

export const insertApprovalToken = insertInto(approvalTokens);

const APPROVED = `SELECT ${joinedColumns(approvalTokens, intents)},
    ${flagOf(isCartPaid('approvals.tenant_id', 'approvals.cart_hash'))} AS is_paid,
    ${flagOf(hasStatus('approvals.tenant_id', 'approvals.intent_id'))} AS has_status
  FROM approvals JOIN intents ON intents.tenant_id = approvals.tenant_id AND intents.mandate_id = approvals.intent_id
  WHERE approvals.token_hash IN (?, ?) AND approvals.tenant_id = ?`;
const approvalOutOf = rowOutOf(approvalTokens);
const intentOutOf = rowOutOf(intents);

export interface ApprovedCart {
  readonly approval: ApprovalTokenRow;
  readonly intent: IntentRow;
  /** Whether a payment for the cart was authorized, or is not decided yet. */
  readonly isPaid: boolean;
  /** Whether the intent has a place in a status list. */
  readonly hasStatus: boolean;
}

/** What a token stands for. @param keys that of its row, and what earlier versions stored it under */
export function* findApproved(tenantId: string, keys: readonly [string, string]): Script<ApprovedCart | undefined> {
  type Found = { readonly is_paid: 0 | 1; readonly has_status: 0 | 1 };
  const found = yield* get<Found>(APPROVED, ...keys, tenantId);
  if (found === undefined) return undefined;
  const { is_paid: isPaid, has_status: isListed } = found;
  const rows = { approval: approvalOutOf(found), intent: intentOutOf(found) };
  return { ...rows, isPaid: isPaid === 1, hasStatus: isListed === 1 };
}

const OFFERED = `SELECT intents.*, ${flagOf(isCartPaid('intents.tenant_id', '?'))} AS is_paid,
    ${flagOf("EXISTS (SELECT 1 FROM approvals WHERE tenant_id = ? AND intent_id = ? AND status = 'LIVE')")} AS has_token
  FROM intents WHERE intents.tenant_id = ? AND intents.mandate_id = ?`;

export interface OfferedCart {
  readonly intent: IntentRow;
  /** As for an approved cart. */
  readonly isPaid: boolean;
  /** Whether a token of the intent is live, for whichever cart. */
  readonly hasLiveToken: boolean;
}

/** What a cart is offered for. */
export function* findOffered(tenantId: string, mandateId: string, cartHash: string): Script<OfferedCart | undefined> {
  type Found = IntentRow & { readonly is_paid: 0 | 1; readonly has_token: 0 | 1 };
  const found = yield* get<Found>(OFFERED, cartHash, tenantId, mandateId, tenantId, mandateId);
  if (found === undefined) return undefined;
  const { is_paid: isPaid, has_token: hasToken, ...intent } = found;
  return { intent, isPaid: isPaid === 1, hasLiveToken: hasToken === 1 };
}

/** The token of a cart: the one that was used, else the live one, else the latest. */
export function findApprovalTokenOfCart(
  tenantId: string,
  intentId: string,
  cartHash: string,
): Script<ApprovalTokenRow | undefined> {
  const sql = `SELECT * FROM approvals WHERE tenant_id = ? AND cart_hash = ? AND intent_id = ?
     ORDER BY CASE status WHEN 'USED' THEN 0 WHEN 'LIVE' THEN 1 ELSE 2 END, created_at DESC LIMIT 1`;
  return get(sql, tenantId, cartHash, intentId);
}

/** The latest token of a cart, of any status. */
export function findApprovedCart(tenantId: string, cartHash: string): Script<ApprovalTokenRow | undefined> {
  const sql = 'SELECT * FROM approvals WHERE tenant_id = ? AND cart_hash = ? ORDER BY created_at DESC LIMIT 1';
  return get(sql, tenantId, cartHash);
}

/** At most one token of an intent is live: a new one replaces it. */
export function voidApprovalTokens(tenantId: string, intentId: string): Script<void> {
  const sql = "UPDATE approvals SET status = 'VOID' WHERE tenant_id = ? AND intent_id = ? AND status = 'LIVE'";
  return send(sql, tenantId, intentId);
}

/** For a revoked agent, whose live tokens become void at once. */
export function voidApprovalTokensOfAgent(tenantId: string, agentDid: string): Script<void> {
  const sql = "UPDATE approvals SET status = 'VOID' WHERE tenant_id = ? AND agent_did = ? AND status = 'LIVE'";
  return send(sql, tenantId, agentDid);
}

/** For a revoked delegation. */
export function voidApprovalTokensOfDelegation(tenantId: string, delegationId: string): Script<void> {
  const sql = `UPDATE approvals SET status = 'VOID' WHERE tenant_id = ? AND status = 'LIVE' AND intent_id IN
    (SELECT mandate_id FROM intents WHERE tenant_id = ? AND delegation_id = ? AND status = 'ACTIVE')`;
  return send(sql, tenantId, tenantId, delegationId);
}

export function markApprovalTokenUsed(tokenHash: string): Script<void> {
  return send("UPDATE approvals SET status = 'USED' WHERE token_hash = ?", tokenHash);
}

const deleteVoidTokens: DeleteOldest = deleteOldest(
  approvalTokens,
  "tenant_id = ? AND status = 'VOID' AND created_at < ?",
  'created_at',
);

const deleteLiveTokens: DeleteOldest = deleteOldest(
  approvalTokens,
  "tenant_id = ? AND status = 'LIVE' AND intent_id < ? AND created_at < ?",
  'intent_id',
);

/** Deletes tokens that were never used. They are found by their intents, which are older. @param before milliseconds since the epoch */
export function deleteLiveTokensBefore(limit: number, tenantId: string, before: number): Script<number> {
  return deleteLiveTokens(limit, tenantId, firstIdAt('intent_', before), before);
}

export const presenceUsed = table(
  'presence_used',
  ['tenant_id', 'id'],
  {
    tenant_id: text,
    id: text,
    used_at: integer,
  },
  {
    // No proof lives longer than an hour, so one that comes again later is refused by its age.
    retention: { goes: 'a day after the use', purges: [(limit, now) => deletePresenceUsedBefore(limit, now - DAY_MS)] },
    isTestData: true,
  },
);

const insertUsedPresence = insertInto(presenceUsed, 'ON CONFLICT (tenant_id, id) DO NOTHING');

/** Marks a presence proof as used; false when it was used before. */
export function markPresenceUsed(tenantId: string, id: string, now: number): Script<boolean> {
  return insertUsedPresence({ tenant_id: tenantId, id, used_at: now });
}

export function wasPresenceUsed(tenantId: string, id: string): Script<boolean> {
  return exists('SELECT id FROM presence_used WHERE tenant_id = ? AND id = ?', tenantId, id);
}

const deletePresenceUsedBefore: DeleteOldest = deleteOldest(presenceUsed, 'used_at < ?', 'used_at');
