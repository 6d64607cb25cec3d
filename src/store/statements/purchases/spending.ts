/**
 * What counts in limits, summed by stretches of time: intents from the moment they were made, payments from the moment they were
 * authorized. The sums change in the commit of what they sum. A window of any length takes a few of them and the rows at its edge,
 * however long the history is.
 */
import { firstIdAt, timeOfId } from '../../../../protocol/wire/id.ts';
import type { Script, Value } from '../../store.ts';
import { addMinor, deleteOldest, equal, listPage } from '../queries.ts';
import { insertManyInto, integer, type RowOf, table, text } from '../tableDefinition.ts';
import { type IntentRow, intents } from './intents.ts';
import { readSums, SPLIT, saturated, split } from './minorSums.ts';
import type { PaymentRow } from './payments.ts';

export const spendingSums = table('spending_sums', ['tenant_id', 'scope', 'quarters', 'stretch', 'currency'], {
  tenant_id: text,
  /** An agent's DID, or POLICY_SCOPE for all agents of the tenant together. */
  scope: text,
  /** How many quarters of an hour a stretch is: one of LENGTHS. */
  quarters: integer,
  /** The number of the stretch, from 1970 on. */
  stretch: integer,
  currency: text,
  /** Intents made in the stretch, those that have ended too, and what they reserve. */
  issued: integer,
  issued_high: integer,
  issued_low: integer,
  /** Payments authorized in the stretch that neither failed nor were canceled. */
  paid: integer,
  paid_high: integer,
  paid_low: integer,
});

/** The scope that counts all agents of a tenant together. */
export const POLICY_SCOPE = 'policy';

/** No time zone's midnight lies within a quarter of an hour. */
const QUARTER_MS = 15 * 60 * 1000;
/** A stretch, 32 of them, and 32 of those, in quarters of an hour: a year is some 70 stretches of these lengths. */
const LENGTHS = [1, 32, 1024] as const;

/** What is counted: intents by the time of their ids, or payments by the time at which they were authorized. */
type Counted = 'issued' | 'paid';

/** What a window holds. */
export interface WindowUse {
  readonly transactions: number;
  /** By currency in minor units. A sum stops where numbers are not exact any more. */
  readonly amounts: Readonly<Record<string, number>>;
}

/** What is added to the sums of one agent, and of all agents; negative to take it back. */
interface Addition {
  readonly counted: Counted;
  readonly tenantId: string;
  readonly agentDid: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly currency: string;
  readonly transactions: number;
  readonly amountMinor: number;
}

const SUMS = ['issued', 'issued_high', 'issued_low', 'paid', 'paid_high', 'paid_low'] as const;

const addRows = insertManyInto(
  spendingSums,
  `ON CONFLICT (${spendingSums.key.join(', ')}) DO UPDATE SET
     ${SUMS.map((sum) => `${sum} = spending_sums.${sum} + excluded.${sum}`).join(', ')}`,
);

/** In one statement, however many there are: most are of the same stretches. */
function* add(additions: readonly Addition[]): Script<void> {
  const rows = new Map<string, RowOf<typeof spendingSums>>();
  for (const { counted, tenantId, agentDid, at, currency, transactions, amountMinor } of additions) {
    const { high, low } = split(amountMinor);
    for (const scope of [agentDid, POLICY_SCOPE]) {
      for (const quarters of LENGTHS) {
        const stretch = Math.floor(at / (quarters * QUARTER_MS));
        const key = `${scope} ${quarters} ${stretch}`;
        const row = rows.get(key) ?? { tenant_id: tenantId, scope, quarters, stretch, currency, ...NOTHING };
        rows.set(key, {
          ...row,
          [counted]: row[counted] + transactions,
          [`${counted}_high`]: row[`${counted}_high`] + high,
          [`${counted}_low`]: row[`${counted}_low`] + low,
        });
      }
    }
  }
  if (rows.size > 0) yield* addRows([...rows.values()]);
}

const NOTHING = { issued: 0, issued_high: 0, issued_low: 0, paid: 0, paid_high: 0, paid_low: 0 };

type CountedIntent = Pick<IntentRow, 'tenant_id' | 'mandate_id' | 'agent_did' | 'currency'>;

/** Counts an intent that was just stored. @param reservedMinor what it reserves */
export function countIntent(intent: CountedIntent, reservedMinor: number): Script<void> {
  return add([{ ...issuedBy(intent), transactions: 1, amountMinor: reservedMinor }]);
}

/** Follows a change of what an intent reserves. @param deltaMinor negative where it reserves less from then on */
export function changeReserved(intent: CountedIntent, deltaMinor: number): Script<void> {
  return add(reservedBy(intent, deltaMinor));
}

function reservedBy(intent: CountedIntent, deltaMinor: number): readonly Addition[] {
  return deltaMinor === 0 ? [] : [{ ...issuedBy(intent), transactions: 0, amountMinor: deltaMinor }];
}

function issuedBy({ tenant_id: tenantId, mandate_id: mandateId, agent_did: agentDid, currency }: CountedIntent) {
  return { counted: 'issued', tenantId, agentDid, at: timeOfId(mandateId), currency } as const;
}

type CountedPayment = Pick<
  PaymentRow,
  'tenant_id' | 'agent_did' | 'status' | 'amount_minor' | 'currency' | 'authorized_at'
>;

/**
 * Counts a payment that was just stored, since one that is not decided yet may move money, and what its intent reserves no more.
 * @param reservedMinor what the intent reserved until then; from then on it is what is paid
 */
export function countPayment(payment: CountedPayment, intent: CountedIntent, reservedMinor: number): Script<void> {
  return add([...reservedBy(intent, payment.amount_minor - reservedMinor), paidBy(payment, 1)]);
}

/** Follows a transition: a payment that failed or was canceled counts no more, one that was authorized counts from then on. */
export function* recountPayment(before: CountedPayment, after: CountedPayment): Script<void> {
  const [counted, counts] = [before, after].map(isCounted);
  if (counted === counts && quarterOf(before) === quarterOf(after)) return;
  yield* add([...(counted ? [paidBy(before, -1)] : []), ...(counts ? [paidBy(after, 1)] : [])]);
}

function paidBy(payment: CountedPayment, sign: 1 | -1): Addition {
  const { tenant_id: tenantId, agent_did: agentDid, authorized_at: at, currency, amount_minor: amountMinor } = payment;
  return { counted: 'paid', tenantId, agentDid, at, currency, transactions: sign, amountMinor: sign * amountMinor };
}

function isCounted({ status }: CountedPayment): boolean {
  return status !== 'FAILED' && status !== 'CANCELED';
}

function quarterOf({ authorized_at: at }: CountedPayment): number {
  return Math.floor(at / QUARTER_MS);
}

interface Window {
  readonly tenantId: string;
  /** An agent's DID, or POLICY_SCOPE. */
  readonly scope: string;
  /** The first millisecond in it. It has no end: what a clock that was ahead has dated later counts as well. */
  readonly from: number;
}

/** The intents made in a window, and what they reserve. */
export function useByIntents(window: Window): Script<WindowUse> {
  return sumWindow('issued', window);
}

/** The payments authorized in a window, or not decided yet, but for those that failed or were canceled. */
export function useByPayments(window: Window): Script<WindowUse> {
  return sumWindow('paid', window);
}

function* sumWindow(counted: Counted, { tenantId, scope, from }: Window): Script<WindowUse> {
  const firstQuarter = Math.ceil(from / QUARTER_MS);
  const args: Value[] = [];
  let first = firstQuarter;
  for (const [index, quarters] of LENGTHS.entries()) {
    const longer = LENGTHS[index + 1];
    // Up to where a stretch of the next length begins.
    const end = longer === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil((first * quarters) / longer) * longer;
    args.push(tenantId, scope, quarters, first, longer === undefined ? end : end / quarters);
    first = longer === undefined ? first : end / longer;
  }
  const whose = scope === POLICY_SCOPE ? [tenantId] : [tenantId, scope];
  args.push(...whose, ...EDGES[counted].bounds(from, firstQuarter * QUARTER_MS));
  const sums = yield* readSums(QUERIES[counted][scope === POLICY_SCOPE ? 'policy' : 'agent'], ...args);
  const amounts: Record<string, number> = {};
  let transactions = 0;
  for (const sum of sums) {
    transactions += sum.transactions;
    amounts[sum.currency] = saturated(sum.amount);
  }
  return { transactions, amounts };
}

/** The rows between the beginning of a window and its first whole stretch: a condition, and what bounds it. */
const EDGES = {
  issued: {
    rows: 'intents WHERE tenant_id = ?',
    amount: 'reserved_minor',
    condition: 'mandate_id >= ? AND mandate_id < ?',
    bounds: (from: number, to: number): Value[] => [firstIdAt('intent_', from), firstIdAt('intent_', to)],
  },
  paid: {
    rows: "payments WHERE status NOT IN ('FAILED', 'CANCELED') AND tenant_id = ?",
    amount: 'amount_minor',
    condition: 'authorized_at >= ? AND authorized_at < ?',
    bounds: (from: number, to: number): Value[] => [from, to],
  },
} as const;

function queryOf(counted: Counted, scope: 'agent' | 'policy'): string {
  const { rows, amount, condition } = EDGES[counted];
  const stretches = `SELECT currency, ${counted} AS transactions, ${counted}_high AS high, ${counted}_low AS low FROM spending_sums
    WHERE tenant_id = ? AND scope = ? AND quarters = ? AND stretch >= ? AND stretch < ?`;
  const edge = `SELECT currency, 1 AS transactions, ${amount} / ${SPLIT} AS high, ${amount} % ${SPLIT} AS low
    FROM ${rows} ${scope === 'agent' ? 'AND agent_did = ?' : ''} AND ${condition}`;
  const parts = [...LENGTHS.map(() => stretches), edge].join('\n  UNION ALL ');
  return `SELECT currency, CAST(SUM(transactions) AS BIGINT) AS transactions, CAST(SUM(high) AS BIGINT) AS high,
    CAST(SUM(low) AS BIGINT) AS low FROM (${parts}) AS spending GROUP BY currency`;
}

const QUERIES = {
  issued: { agent: queryOf('issued', 'agent'), policy: queryOf('issued', 'policy') },
  paid: { agent: queryOf('paid', 'agent'), policy: queryOf('paid', 'policy') },
} as const;

/** The oldest intents of a window, as they leave it. */
export function listIssued(
  { tenantId, scope, from }: Window,
  limit: number,
): Script<Pick<IntentRow, 'mandate_id' | 'currency' | 'reserved_minor'>[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    scope === POLICY_SCOPE ? undefined : equal('agent_did', scope),
    ['mandate_id >= ?', firstIdAt('intent_', from)] as const,
  ];
  return listPage(intents, conditions, 'mandate_id', limit);
}

const deleteStretches = deleteOldest(spendingSums, 'quarters = ? AND stretch < ?', 'stretch');

/** Deletes the sums of stretches that ended before a time, up to so many rows of each length. */
export function* deleteSumsBefore(limit: number, time: number): Script<number> {
  let deleted = 0;
  for (const quarters of LENGTHS) {
    deleted += yield* deleteStretches(limit - deleted, quarters, Math.floor(time / (quarters * QUARTER_MS)));
  }
  return deleted;
}

/** What a window holds without one purchase of its own. */
export function withoutOne({ transactions, amounts }: WindowUse, currency: string, amountMinor: number): WindowUse {
  const rest = { ...amounts, [currency]: addMinor(amounts[currency] ?? 0, -amountMinor) };
  return { transactions: transactions - 1, amounts: rest };
}
