/** Payments, each identified by its mandate's id. */
import type { PaymentStatus } from '../../../../protocol/payment.ts';
import { all, changed, count, exists, get, type Script, send } from '../../store.ts';
import {
  type AmountFilter,
  allOf,
  type Condition,
  earlier,
  equal,
  inBatches,
  isAmong,
  listPage,
  type Span,
  within,
} from '../queries.ts';
import {
  flag,
  insertInto,
  integer,
  later,
  nullable,
  oneOf,
  placeholders,
  type RowOf,
  table,
  text,
  updateOf,
} from '../tableDefinition.ts';
import { WALKED_AT_ONCE, type WalkResult, walkNewest } from '../walk.ts';

export const payments = table(
  'payments',
  ['tenant_id', 'mandate_id'],
  {
    tenant_id: text,
    mandate_id: text,
    transaction_id: text,
    context_id: nullable(text),
    intent_id: text,
    agent_did: text,
    principal_did: text,
    status: oneOf<PaymentStatus>(),
    amount_minor: integer,
    captured_minor: integer,
    refunded_minor: integer,
    currency: text,
    merchant: text,
    rail: text,
    rail_id: nullable(text),
    credential: text,
    error_code: nullable(text),
    error_message: nullable(text),
    created_at: integer,
    /** When the rail authorized it; until then, when it was asked for. */
    authorized_at: integer,
    /** The cart that it pays; null where that was not recorded yet. */
    cart_hash: nullable(text),
    /** What it buys (see purchasePrint); null where that was not recorded yet. */
    print: nullable(text),
    /** What is bought, in a line (see describeItems); null where that was not recorded yet. */
    description: nullable(text),
    /** The principal whose money it is; null where that was a mere name when it was paid. */
    governed_did: nullable(text),
    /** The merchant's category, as it was judged. */
    mcc: nullable(text),
    /** Until when the rail holds the amount; null without a hold, or when it does not expire. */
    hold_until: later(nullable(integer)),
    /** 1 once the warning that the hold is ending was recorded. */
    hold_warned: later(flag),
    /** How many disputes it has, inquiries among them; how many of those are open or lost, and the sum of these. */
    dispute_count: later(integer),
    standing_disputes: later(integer),
    disputed_minor: later(integer),
    /** Why a person has to look at it, and since when. */
    attention: later(nullable(text)),
    attention_at: later(nullable(integer)),
    /** When a refund was last taken back. */
    refund_failed_at: later(nullable(integer)),
    /** The task that waits for its outcome. */
    task_id: later(nullable(text)),
    /** 1 where a chain of mandates stands behind it. */
    by_mandate: nullable(integer),
    /** The checkout of UCP that it pays (see checkoutKey); null where it pays something else. */
    checkout_key: nullable(text),
    /** JSON: in which forms the answer hands out the mandate; null where it was not asked for any. */
    credential_formats: nullable(text),
  },
  {
    retention: { kept: 'mandates are records' },
    isTestData: true,
  },
);
export type PaymentRow = Omit<RowOf<typeof payments>, 'hold_warned'>;

export const insertPayment = insertInto(payments);

/** Notes which task waits for a payment's outcome. */
export function notePaymentTask(tenantId: string, mandateId: string, taskId: string): Script<void> {
  return send('UPDATE payments SET task_id = ? WHERE tenant_id = ? AND mandate_id = ?', taskId, tenantId, mandateId);
}

export function findPayment(tenantId: string, mandateId: string): Script<PaymentRow | undefined> {
  return get('SELECT * FROM payments WHERE tenant_id = ? AND mandate_id = ?', tenantId, mandateId);
}

export type PaymentHolder = Pick<PaymentRow, 'mandate_id' | 'principal_did' | 'mcc'>;

/** Whose money some payments were, and for what kind of merchant. */
export function findPaymentHolders(tenantId: string, mandateIds: readonly string[]): Script<PaymentHolder[]> {
  const sql = `SELECT mandate_id, principal_did, mcc FROM payments WHERE tenant_id = ? AND mandate_id IN ${placeholders(mandateIds)}`;
  return all(sql, tenantId, ...mandateIds);
}

/** A payment of any tenant, by its id at a rail. */
export function findPaymentAtRail(railId: string): Script<PaymentRow | undefined> {
  return get('SELECT * FROM payments WHERE rail_id = ?', railId);
}

export function findPaymentOfTransaction(tenantId: string, transactionId: string): Script<PaymentRow | undefined> {
  const places = 'SELECT mandate_id FROM payment_lists WHERE tenant_id = ? AND transaction_id = ?';
  const sql = `SELECT * FROM payments WHERE tenant_id = ? AND mandate_id IN (${places})`;
  return get(sql, tenantId, tenantId, transactionId);
}

/** Writes the columns that a transition may change. */
export const updatePayment = updateOf(payments, {
  set: [
    'status',
    'captured_minor',
    'refunded_minor',
    'rail_id',
    'error_code',
    'error_message',
    'hold_until',
    'dispute_count',
    'standing_disputes',
    'disputed_minor',
    'authorized_at',
    'attention',
    'attention_at',
    'refund_failed_at',
  ],
  where: ['tenant_id', 'mandate_id'],
});

interface PaymentFilter extends Span {
  readonly status?: PaymentStatus | undefined;
  readonly agentDid?: string | undefined;
  readonly merchant?: string | undefined;
  readonly amount?: AmountFilter | undefined;
}

/** Whether no index has the list: it is walked. */
export function isPaymentWalk({ status, agentDid, merchant, amount }: PaymentFilter): boolean {
  const isCommon = status !== undefined && COMMON.includes(status);
  return (
    amount !== undefined || isCommon || [status, agentDid, merchant].filter((each) => each !== undefined).length > 1
  );
}

/** Newest first. */
export function* listPayments(
  tenantId: string,
  filter: PaymentFilter,
  before: string | undefined,
  limit: number,
): Script<WalkResult<PaymentRow>> {
  const { status, agentDid, merchant, amount } = filter;
  const isWalk = isPaymentWalk(filter);
  // One index leads to the list that is walked: that of an agent, which has the fewest payments, before others.
  const listed = equal('agent_did', agentDid) ?? equal('merchant', merchant);
  const conditions = [equal('tenant_id', tenantId), ...within('mandate_id', 'pm_', filter, before)];
  const paged = (most: number) =>
    listed === undefined
      ? [...conditions, inRareState(status)]
      : [...conditions.slice(0, 1), among([...conditions, listed], most)];
  if (!isWalk) return { rows: yield* listPage(payments, paged(limit), 'mandate_id DESC', limit) };
  const fits = (row: Pick<PaymentRow, (typeof WALKED)[number]>) =>
    (amount === undefined || isAmong(amount, row.currency, row.amount_minor)) &&
    (agentDid === undefined || row.agent_did === agentDid) &&
    (merchant === undefined || row.merchant === merchant) &&
    (status === undefined || row.status === status);
  return yield* walkNewest(payments, { ...BY_ID, conditions: paged(WALKED_AT_ONCE), columns: WALKED, fits }, limit);
}

const SORTS = {
  oldest: { from: 'payments', order: ['mandate_id'], direction: 'ASC', beyond: '>' },
  largest: { from: 'payment_lists', order: ['amount_minor', 'mandate_id'], direction: 'DESC', beyond: '<' },
  smallest: { from: 'payment_lists', order: ['amount_minor', 'mandate_id'], direction: 'ASC', beyond: '>' },
} as const;
type PaymentSort = keyof typeof SORTS;

/** Where a payment stands among others; its amount where they are sorted by that. */
export interface PaymentPosition {
  readonly amount_minor?: number | undefined;
  readonly mandate_id: string;
}

/** The oldest first, or by amount: of those a bounded number is looked through. @param filter names a currency where it is by amount */
export function* listSortedPayments(
  tenantId: string,
  sort: PaymentSort,
  filter: PaymentFilter,
  after: PaymentPosition | undefined,
  limit: number,
): Script<WalkResult<PaymentRow, PaymentPosition>> {
  const { status, agentDid, merchant, amount, from = 0, to = Number.POSITIVE_INFINITY } = filter;
  const { from: source, order, direction, beyond } = SORTS[sort];
  const placeOf = (row: Required<PaymentPosition>) => ({
    ...(sort === 'oldest' ? {} : { amount_minor: row.amount_minor }),
    mandate_id: row.mandate_id,
  });
  const { where, args } = allOf([
    equal('tenant_id', tenantId),
    ...(sort === 'oldest' ? [] : withinAmounts(amount, direction, after)),
    after && [`(${order.join(', ')}) ${beyond} (${order.map(() => '?').join(', ')})`, ...Object.values(after)],
  ]);
  const isWalk = [status, agentDid, merchant, filter.from, filter.to, sort === 'oldest' ? amount : undefined].some(
    (each) => each !== undefined,
  );
  const most = isWalk ? WALKED_AT_ONCE : limit;
  const sorted = order.map((column) => `${column} ${direction}`).join(', ');
  const columns = 'mandate_id, agent_did, merchant, currency, amount_minor, created_at';
  type Seen = Pick<PaymentRow, 'mandate_id' | 'agent_did' | 'merchant' | 'currency' | 'amount_minor' | 'created_at'>;
  const seen = yield* all<Seen>(
    `SELECT ${columns} FROM ${source} WHERE ${where} ORDER BY ${sorted} LIMIT ?`,
    ...args,
    most,
  );
  const fitting = seen.filter(
    (row) =>
      (agentDid === undefined || row.agent_did === agentDid) &&
      (merchant === undefined || row.merchant === merchant) &&
      (amount === undefined || isAmong(amount, row.currency, row.amount_minor)) &&
      row.created_at >= from &&
      row.created_at <= to,
  );
  const rows: PaymentRow[] = [];
  for (const batch of inBatches(fitting)) {
    if (rows.length >= limit) break;
    const found = yield* all<PaymentRow>(
      `SELECT * FROM payments WHERE (tenant_id, mandate_id) IN (VALUES ${batch.map(() => '(?, ?)').join(', ')})`,
      ...batch.flatMap((row) => [tenantId, row.mandate_id]),
    );
    const byId = new Map(found.map((row) => [row.mandate_id, row]));
    const ordered = batch.flatMap(({ mandate_id: id }) => byId.get(id) ?? []);
    rows.push(...ordered.filter((row) => status === undefined || row.status === status));
  }
  const last = seen.at(-1);
  const page = rows.slice(0, limit);
  return seen.length < most || page.length === limit || last === undefined
    ? { rows: page }
    : { rows: page, upTo: placeOf(last) };
}

/** The end of a range that a page begins at is its place, where it is not the first one. */
function withinAmounts(
  amount: AmountFilter | undefined,
  direction: 'ASC' | 'DESC',
  after: PaymentPosition | undefined,
): (Condition | undefined)[] {
  const currency = amount?.currency ?? '';
  const { least, most } = amount?.boundsIn(currency) ?? {};
  const isFirst = after === undefined;
  return [
    equal('currency', currency),
    least !== undefined && (isFirst || direction === 'DESC') ? ['amount_minor >= ?', least] : undefined,
    most !== undefined && (isFirst || direction === 'ASC') ? ['amount_minor <= ?', most] : undefined,
  ];
}

/** The newest payments of a list, by their view. */
function among(conditions: readonly (Condition | undefined)[], most: number): Condition {
  const { where, args } = allOf(conditions);
  return [
    `mandate_id IN (SELECT mandate_id FROM payment_lists WHERE ${where} ORDER BY mandate_id DESC LIMIT ?)`,
    ...args,
    most,
  ];
}

const BY_ID = { order: ['mandate_id'], placeOf: (row: Pick<PaymentRow, 'mandate_id'>) => row.mandate_id } as const;
const WALKED = ['agent_did', 'merchant', 'status', 'currency', 'amount_minor'] as const;

/** States that most payments are in, or are in for a short time. A list of those is walked, since no index has it. */
const COMMON: readonly PaymentStatus[] = ['PENDING', 'AUTHORIZED', 'CAPTURED'];
/** A condition for payments in the other states, as their index says it. */
export const IS_RARE = `status NOT IN (${COMMON.map((status) => `'${status}'`).join(', ')})`;

function inRareState(status: PaymentStatus | undefined): Condition | undefined {
  return status === undefined || COMMON.includes(status) ? undefined : [`status = ? AND ${IS_RARE}`, status];
}

/** The states of payments that were authorised at some time; one that has failed is never in any of them. */
const AUTHORIZED_ONCE = [
  'AUTHORIZED',
  'CAPTURED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
  'CANCELED',
] as const satisfies readonly PaymentStatus[];
/** As the index of these payments says it, so that those that failed are not read, however many there are. */
const WAS_AUTHORIZED: Condition = [`status IN (${AUTHORIZED_ONCE.map((status) => `'${status}'`).join(', ')})`];

export function wasAuthorized({ status }: Pick<PaymentRow, 'status'>): boolean {
  return (AUTHORIZED_ONCE as readonly PaymentStatus[]).includes(status);
}

/** The agent's latest authorised amounts in a currency, in minor units. @param before only of payments with a smaller id */
export function* listPaidAmounts(
  tenantId: string,
  agentDid: string,
  currency: string,
  limit: number,
  before?: string,
): Script<number[]> {
  const { where, args } = allOf([
    ['tenant_id = ? AND agent_did = ? AND currency = ?', tenantId, agentDid, currency],
    WAS_AUTHORIZED,
    earlier('mandate_id', before),
  ]);
  const sql = `SELECT amount_minor FROM payments WHERE ${where} ORDER BY mandate_id DESC LIMIT ?`;
  const rows = yield* all<Pick<PaymentRow, 'amount_minor'>>(sql, ...args, limit);
  return rows.map((row) => row.amount_minor);
}

/** A condition: a payment for this cart was authorized, even if it ended since, or is not decided yet. */
export function isCartPaid(tenant: string, cartHash: string): string {
  return `EXISTS (SELECT 1 FROM payments WHERE payments.tenant_id = ${tenant} AND payments.cart_hash = ${cartHash}
    AND payments.status <> 'FAILED')`;
}

/** Whether a checkout of UCP was paid, or may yet be: it is paid once, and one whose hold was given back is made anew. */
export function isCheckoutPaid(tenantId: string, checkoutKey: string): Script<boolean> {
  const sql = "SELECT mandate_id FROM payments WHERE tenant_id = ? AND checkout_key = ? AND status <> 'FAILED'";
  return exists(sql, tenantId, checkoutKey);
}

/** Authorized payments whose hold ends before a time. @param warned whether the warning was recorded already */
export function listEndingHolds(before: number, warned: boolean, limit: number): Script<PaymentRow[]> {
  const sql = `SELECT * FROM payments WHERE status = 'AUTHORIZED' AND hold_until <= ? AND hold_warned = ?
     ORDER BY hold_until LIMIT ?`;
  return all(sql, before, warned ? 1 : 0, limit);
}

/** @returns false when the warning was recorded before */
export function recordHoldWarning(tenantId: string, mandateId: string): Script<boolean> {
  const sql = 'UPDATE payments SET hold_warned = 1 WHERE tenant_id = ? AND mandate_id = ? AND hold_warned = 0';
  return changed(sql, tenantId, mandateId);
}

/** How many payments have an unknown outcome. */
export function countUnknownPayments(): Script<number> {
  return count(`SELECT COUNT(*) AS count FROM payments WHERE status = 'UNKNOWN' AND ${IS_RARE}`);
}

/** Payments that the node has left to a person, the oldest first. */
export function listFlaggedPayments(tenantId: string, limit: number): Script<PaymentRow[]> {
  return listPage(payments, [equal('tenant_id', tenantId), ['attention_at IS NOT NULL']], 'attention_at', limit);
}

/** Payments that a rail has not answered for, and that the node goes on asking about, newest first. */
export function listUnansweredPayments(tenantId: string, limit: number): Script<PaymentRow[]> {
  const unanswered: Condition = ["status = 'UNKNOWN' AND attention_at IS NULL"];
  return listPage(payments, [equal('tenant_id', tenantId), unanswered], 'mandate_id DESC', limit);
}

/** How many payments have no outcome that the node could find by itself, counted up to a number. */
export function* countUndecidedPayments(tenantId: string, most: number): Script<number> {
  const countUpTo = (where: string) => {
    const found = `SELECT mandate_id FROM payments WHERE tenant_id = ? AND ${where} LIMIT ?`;
    return count(`SELECT COUNT(*) AS count FROM (${found}) AS found`, tenantId, most);
  };
  const flagged = yield* countUpTo('attention_at IS NOT NULL');
  const unanswered = yield* countUpTo("status = 'UNKNOWN' AND attention_at IS NULL");
  return Math.min(flagged + unanswered, most);
}
