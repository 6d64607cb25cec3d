/** Intents. Ids are ordered by time, so an id is also a position in a list and in a sliding window. */
import type { IntentStatus } from '../../../../protocol/intent.ts';
import { all, get, type Script, send } from '../../store.ts';
import { lateParts, listAnyOf, type Walked, walkAnyOf } from '../lateLists.ts';
import { type AmountFilter, type Condition, equal, isAmong, listPage, type Span, within } from '../queries.ts';
import { derived, flag, insertInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';

export const intents = table('intents', ['tenant_id', 'mandate_id'], {
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
  /** The status under which the indexes of lists have it; empty before they do. */
  listed_as: derived(oneOf<IntentStatus | ''>()),
  /** 1 while that is not its status. */
  unlisted: derived(flag),
});
export type IntentRow = Omit<RowOf<typeof intents>, 'listed_as' | 'unlisted'>;

export const insertIntent = insertInto(intents);

export function findIntent(tenantId: string, mandateId: string): Script<IntentRow | undefined> {
  return get('SELECT * FROM intents WHERE tenant_id = ? AND mandate_id = ?', tenantId, mandateId);
}

/** Sets status and reservation, which always change together. */
export function settleIntent(
  tenantId: string,
  mandateId: string,
  status: IntentStatus,
  reservedMinor: number,
): Script<void> {
  const sql = 'UPDATE intents SET status = ?, reserved_minor = ? WHERE tenant_id = ? AND mandate_id = ?';
  return send(sql, status, reservedMinor, tenantId, mandateId);
}

/** Active intents whose time has passed, of all tenants. */
export function listOverdueIntents(now: number, limit: number): Script<IntentRow[]> {
  const sql = "SELECT * FROM intents WHERE status = 'ACTIVE' AND expires_at <= ? ORDER BY expires_at LIMIT ?";
  return all(sql, now, limit);
}

interface IntentFilter extends Span {
  readonly status?: IntentStatus | undefined;
  readonly agentDid?: string | undefined;
}

/** Newest first. An active intent past its time counts as expired. */
export function listIntents(
  tenantId: string,
  filter: IntentFilter,
  before: string | undefined,
  limit: number,
  now: number,
): Script<IntentRow[]> {
  const parts = partsOfList(tenantId, filter, before, now);
  const [only] = parts;
  const order = 'mandate_id DESC';
  if (parts.length === 1 && only !== undefined) return listPage(intents, only, order, limit);
  return listAnyOf(intents, parts, order, limit);
}

/** As listIntents, for those that name a merchant or an amount, which are looked for among what the list holds. */
export function walkIntents(
  tenantId: string,
  filter: IntentFilter & { readonly merchant?: string | undefined; readonly amount?: AmountFilter | undefined },
  before: string | undefined,
  limit: number,
  now: number,
): Script<Walked<IntentRow>> {
  const { merchant, amount } = filter;
  const parts = partsOfList(tenantId, filter, before, now);
  const fits = (row: Pick<IntentRow, (typeof WALKED)[number]>) =>
    (merchant === undefined || row.merchant_domain === merchant) &&
    (amount === undefined || isAmong(amount, row.currency, row.max_minor));
  return walkAnyOf(intents, tenantId, { parts, columns: WALKED, fits }, limit);
}

const WALKED = ['merchant_domain', 'currency', 'max_minor'] as const;

function partsOfList(
  tenantId: string,
  filter: IntentFilter,
  before: string | undefined,
  now: number,
): (Condition | undefined)[][] {
  const { status, agentDid } = filter;
  const conditions = [
    equal('tenant_id', tenantId),
    equal('agent_did', agentDid),
    ...within('mandate_id', 'intent_', filter, before),
  ];
  if (status === undefined && agentDid === undefined) return [conditions];
  const partsOf = (kind: IntentStatus | undefined, when?: Condition) =>
    lateParts(kind).map((part) => [...conditions, ...part, when]);
  const overdue: Condition = ['expires_at <= ?', now];
  return status === 'ACTIVE'
    ? partsOf('ACTIVE', ['expires_at > ?', now])
    : [...partsOf(status), ...(status === 'EXPIRED' ? partsOf('ACTIVE', overdue) : [])];
}
