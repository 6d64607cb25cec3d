/** Intents. Ids are ordered by time, so an id is also a position in a list and in a sliding window. */
import { type IntentStatus, intentStatusAt } from '../../../../protocol/intent.ts';
import { all, get, type Script, send } from '../../store.ts';
import { type AmountFilter, equal, isAmong, listPage, type Span, within } from '../queries.ts';
import { insertInto, integer, later, nullable, oneOf, type RowOf, table, text, updateOf } from '../tableDefinition.ts';
import { type WalkResult, walkNewest } from '../walk.ts';

export const intents = table(
  'intents',
  ['tenant_id', 'mandate_id'],
  {
    tenant_id: text,
    mandate_id: text,
    transaction_id: text,
    context_id: nullable(text),
    agent_did: text,
    principal_did: text,
    status: oneOf<IntentStatus>(),
    max_minor: integer,
    /** The amount that counts against spending limits: the maximum at issue, the amount paid, 0 once released. */
    reserved_minor: integer,
    currency: text,
    merchant_domain: nullable(text),
    mcc: nullable(text),
    country: nullable(text),
    policy_id: text,
    policy_version: integer,
    policy_hash: text,
    credential: text,
    created_at: integer,
    expires_at: integer,
    /** JSON: what the agent says besides the money; null where it says nothing. */
    shopping: nullable(text),
    /** The principal whose money it was when it was issued; null where that was a mere name. */
    governed_did: nullable(text),
    /** What it holds of limits until it is paid or ends: its maximum, or the total of the cart that is approved; else 0. */
    held_minor: integer,
    /** Where, and of which category, as far as intent or cart says. */
    held_merchant: nullable(text),
    held_mcc: nullable(text),
    /** When the approval ends for which it holds less than its maximum; null where it holds that. */
    held_until: later(nullable(integer)),
    /** JSON: the names of limits that it was over when it was issued, so that a person lets it pass; null where it was over none. */
    over_limits: nullable(text),
    /** 1 where a chain of mandates stands behind it. */
    by_mandate: nullable(integer),
    /** The registered open mandate that it names. */
    delegation_id: nullable(text),
  },
  {
    retention: { kept: 'mandates are records' },
    isTestData: true,
  },
);
export type IntentRow = RowOf<typeof intents>;

export const insertIntent = insertInto(intents);

export function findIntent(tenantId: string, mandateId: string): Script<IntentRow | undefined> {
  return get('SELECT * FROM intents WHERE tenant_id = ? AND mandate_id = ?', tenantId, mandateId);
}

/** Active intents that name a delegation, the oldest first. */
export function listIntentsOfDelegation(tenantId: string, delegationId: string, limit: number): Script<IntentRow[]> {
  const sql = `SELECT * FROM intents WHERE tenant_id = ? AND delegation_id = ? AND status = 'ACTIVE'
    ORDER BY mandate_id LIMIT ?`;
  return all(sql, tenantId, delegationId, limit);
}

/** Active intents of a delegation are over from now on; the worker that expires intents ends them one by one. */
export function expireIntentsOfDelegation(tenantId: string, delegationId: string, now: number): Script<void> {
  const sql = `UPDATE intents SET expires_at = ?
    WHERE tenant_id = ? AND delegation_id = ? AND status = 'ACTIVE' AND expires_at > ?`;
  return send(sql, now, tenantId, delegationId, now);
}

/** Sets status and reservation, which always change together, and ends what it holds. */
export function settleIntent(
  tenantId: string,
  mandateId: string,
  status: IntentStatus,
  reservedMinor: number,
): Script<void> {
  const sql = `UPDATE intents SET status = ?, reserved_minor = ?, held_minor = 0, held_until = NULL
    WHERE tenant_id = ? AND mandate_id = ?`;
  return send(sql, status, reservedMinor, tenantId, mandateId);
}

/** Changes what an active intent holds. */
export const updateHold = updateOf(intents, {
  set: ['held_minor', 'held_merchant', 'held_mcc', 'held_until'],
  where: ['tenant_id', 'mandate_id'],
});

/** Intents that hold less than their maximum for an approval that has ended, of all tenants. */
export function listLapsedHolds(now: number, limit: number): Script<IntentRow[]> {
  const sql = 'SELECT * FROM intents WHERE held_until IS NOT NULL AND held_until <= ? ORDER BY held_until LIMIT ?';
  return all(sql, now, limit);
}

/** Active intents whose time has passed, of all tenants. */
export function listOverdueIntents(now: number, limit: number): Script<IntentRow[]> {
  const sql = "SELECT * FROM intents WHERE status = 'ACTIVE' AND expires_at <= ? ORDER BY expires_at LIMIT ?";
  return all(sql, now, limit);
}

interface IntentFilter extends Span {
  readonly status?: IntentStatus | undefined;
  readonly agentDid?: string | undefined;
  readonly merchant?: string | undefined;
  readonly amount?: AmountFilter | undefined;
}

/** Whether no index has the list: it is walked. */
export function isIntentWalk({ status, merchant, amount }: IntentFilter): boolean {
  return merchant !== undefined || amount !== undefined || status !== undefined;
}

/** Newest first. An active intent past its time counts as expired. */
export function* listIntents(
  tenantId: string,
  filter: IntentFilter,
  before: string | undefined,
  limit: number,
  now: number,
): Script<WalkResult<IntentRow>> {
  const { status, agentDid, merchant, amount } = filter;
  const conditions = [
    equal('tenant_id', tenantId),
    equal('agent_did', agentDid),
    ...within('mandate_id', 'intent_', filter, before),
  ];
  if (!isIntentWalk(filter)) return { rows: yield* listPage(intents, conditions, 'mandate_id DESC', limit) };
  const fits = (row: Pick<IntentRow, (typeof WALKED)[number]>) =>
    (merchant === undefined || row.merchant_domain === merchant) &&
    (amount === undefined || isAmong(amount, row.currency, row.max_minor)) &&
    (status === undefined || intentStatusAt({ status: row.status, expiresAt: row.expires_at }, now) === status);
  return yield* walkNewest(intents, { ...BY_ID, conditions, columns: WALKED, fits }, limit);
}

const BY_ID = { order: ['mandate_id'], placeOf: (row: Pick<IntentRow, 'mandate_id'>) => row.mandate_id } as const;
const WALKED = ['merchant_domain', 'currency', 'max_minor', 'status', 'expires_at'] as const;
