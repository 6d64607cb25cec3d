/**
 * What counts in limits, summed by stretches of time: intents from the moment they were made, payments from the moment they were
 * authorized. The sums change in the commit of what they sum; spendingWindows.ts reads them.
 */
import { isWithin, type Narrowing } from '../../../../protocol/policy/values/spendingLimit.ts';
import { timeOfId } from '../../../../protocol/wire/id.ts';
import type { Script } from '../../store.ts';
import { deleteOldest } from '../queries.ts';
import { insertManyInto, integer, type RowOf, table, text } from '../tableDefinition.ts';
import type { IntentRow } from './intents.ts';
import { listNarrowings } from './limitNarrowings.ts';
import { split } from './minorSums.ts';
import type { PaymentRow } from './payments.ts';

export const spendingSums = table('spending_sums', ['tenant_id', 'scope', 'quarters', 'stretch', 'currency'], {
  tenant_id: text,
  /** Whose purchases, and where or of what: see scopeKey. */
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
  /** Payments authorized in the stretch that neither failed nor were canceled, and what was authorized. */
  paid: integer,
  paid_high: integer,
  paid_low: integer,
  /** Intents made in the stretch that are neither paid nor ended, and what they hold. */
  held: integer,
  held_high: integer,
  held_low: integer,
  /** As paid, of which a partial capture has freed the rest. */
  spent: integer,
  spent_high: integer,
  spent_low: integer,
});

/** What is counted. Intents count by the time of their ids, payments by the time at which they were authorized. */
export type Measure = 'issued' | 'paid' | 'held' | 'spent';

/** The scope that counts all agents of a tenant together. */
const POLICY_SCOPE = 'policy';
const PRINCIPAL = 'principal ';

/** Whose purchases count together, and where or of what. */
export interface CountedScope {
  readonly scope: 'agent' | 'principal' | 'policy';
  readonly agentDid: string;
  /** The principal whose money it is, where it is governed: for a mere name the agent stands. */
  readonly governedDid: string | null;
  readonly narrowing?: Narrowing | undefined;
}

/** The key of sums. No DID, domain or category contains a space, and no DID begins as the names of the other scopes. */
export function scopeKey({ scope, agentDid, governedDid, narrowing }: CountedScope): string {
  const principal = governedDid === null ? agentDid : PRINCIPAL + governedDid;
  const whose = { agent: agentDid, principal, policy: POLICY_SCOPE }[scope];
  return narrowing === undefined ? whose : `${whose} ${narrowing.merchant ?? ''} ${narrowing.category ?? ''}`;
}

/** No time zone's midnight lies within a quarter of an hour. */
export const QUARTER_MS = 15 * 60 * 1000;
/** A stretch, 32 of them, and 32 of those, in quarters of an hour: a year is some 70 stretches of these lengths. */
export const LENGTHS = [1, 32, 1024] as const;

/** What is added to the sums; negative to take it back. */
interface Addition {
  readonly measure: Measure;
  readonly tenantId: string;
  readonly agentDid: string;
  readonly governedDid: string | null;
  /** Where it was bought, and of which category, as far as that is known. */
  readonly merchant: string | null;
  readonly mcc: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly currency: string;
  readonly transactions: number;
  readonly amountMinor: number;
}

const MEASURES = ['issued', 'paid', 'held', 'spent'] as const satisfies readonly Measure[];
const columnsOf = <Each extends Measure>(measure: Each) => [measure, `${measure}_high`, `${measure}_low`] as const;
const SUMS = MEASURES.flatMap(columnsOf);
const COLUMNS = Object.fromEntries(MEASURES.map((measure) => [measure, columnsOf(measure)])) as {
  readonly [Each in Measure]: ReturnType<typeof columnsOf<Each>>;
};

export const addRows = insertManyInto(
  spendingSums,
  `ON CONFLICT (${spendingSums.key.join(', ')}) DO UPDATE SET
     ${SUMS.map((sum) => `${sum} = spending_sums.${sum} + excluded.${sum}`).join(', ')}`,
);

type SumRow = RowOf<typeof spendingSums>;

/** A row while it is summed: it is made once and changed in place, since a purchase adds to it a dozen times. */
type GrowingRow = { -readonly [Name in keyof SumRow]: SumRow[Name] };

/** Rows to be added, by their keys: most additions of a commit are of the same stretches. */
export class Additions {
  readonly #rows = new Map<string, GrowingRow>();

  add(scope: string, { measure, tenantId, at, currency, transactions, high, low }: SummedAddition): void {
    const [countColumn, highColumn, lowColumn] = COLUMNS[measure];
    for (const quarters of LENGTHS) {
      const stretch = Math.floor(at / (quarters * QUARTER_MS));
      const key = `${scope} ${quarters} ${stretch} ${currency}`;
      let row = this.#rows.get(key);
      if (row === undefined) {
        row = { tenant_id: tenantId, scope, quarters, stretch, currency, ...NOTHING };
        this.#rows.set(key, row);
      }
      row[countColumn] += transactions;
      row[highColumn] += high;
      row[lowColumn] += low;
    }
  }

  /** Those that change something: what moves within a stretch changes nothing. */
  rows(): SumRow[] {
    return [...this.#rows.values()].filter((row) => SUMS.some((sum) => row[sum] !== 0));
  }
}

type SummedAddition = Pick<Addition, 'measure' | 'tenantId' | 'at' | 'currency' | 'transactions'> & {
  readonly high: number;
  readonly low: number;
};

/** In one statement, however many there are. */
function* add(additions: readonly Addition[]): Script<void> {
  const [first] = additions;
  if (first === undefined) return;
  const narrowings = yield* listNarrowings(first.tenantId);
  const sums = new Additions();
  for (const addition of additions) {
    const summed = { ...addition, ...split(addition.amountMinor) };
    for (const scope of scopesOf(addition, narrowings)) sums.add(scope, summed);
  }
  const rows = sums.rows();
  if (rows.length > 0) yield* addRows(rows);
}

const NOTHING = Object.fromEntries(SUMS.map((sum) => [sum, 0])) as Record<(typeof SUMS)[number], number>;

const SCOPES = ['agent', 'principal', 'policy'] as const;

/** The keys under which something counts. What was issued, and paid of it, counts for risk.velocity_limit, which knows agent and policy. */
function scopesOf(
  { measure, merchant, mcc, agentDid, governedDid }: Addition,
  narrowings: readonly Narrowing[],
): readonly string[] {
  if (measure === 'issued' || measure === 'paid') return [agentDid, POLICY_SCOPE];
  const within = narrowings.filter((narrowing) => isWithin(narrowing, { merchant, mcc }));
  return keysOf({ agentDid, governedDid }, [undefined, ...within]);
}

/** Where the agent stands for the principal, both have one key. */
export function keysOf(
  who: Pick<CountedScope, 'agentDid' | 'governedDid'>,
  narrowings: readonly (Narrowing | undefined)[],
): readonly string[] {
  const keys = narrowings.flatMap((narrowing) => SCOPES.map((scope) => scopeKey({ scope, ...who, narrowing })));
  return [...new Set(keys)];
}

type CountedIntent = Pick<
  IntentRow,
  | 'tenant_id'
  | 'mandate_id'
  | 'agent_did'
  | 'governed_did'
  | 'currency'
  | 'reserved_minor'
  | 'held_minor'
  | 'held_merchant'
  | 'held_mcc'
>;

/** Counts an intent that was just stored. */
export function countIntent(intent: CountedIntent): Script<void> {
  return add([{ ...issuedBy(intent), transactions: 1, amountMinor: intent.reserved_minor }, ...heldBy(intent, 1)]);
}

/** Follows an intent that reserves and holds nothing any more. @param intent as it was until then */
export function releaseIntent(intent: CountedIntent): Script<void> {
  return add([...reservedBy(intent, -intent.reserved_minor), ...heldBy(intent, -1)]);
}

/** Follows a change of what an intent holds, and where. @param before as it was until then @param after as it is from then on */
export function moveHold(before: CountedIntent, after: CountedIntent): Script<void> {
  return add([...heldBy(before, -1), ...heldBy(after, 1)]);
}

/** @param deltaMinor negative where it reserves less from then on */
function reservedBy(intent: CountedIntent, deltaMinor: number): readonly Addition[] {
  return deltaMinor === 0 ? [] : [{ ...issuedBy(intent), transactions: 0, amountMinor: deltaMinor }];
}

function issuedBy(intent: CountedIntent) {
  const { tenant_id: tenantId, mandate_id: mandateId, agent_did: agentDid, governed_did: governedDid } = intent;
  const { currency, held_merchant: merchant, held_mcc: mcc } = intent;
  return {
    measure: 'issued',
    tenantId,
    agentDid,
    governedDid,
    merchant,
    mcc,
    at: timeOfId(mandateId),
    currency,
  } as const;
}

function heldBy(intent: CountedIntent, sign: 1 | -1): readonly Addition[] {
  const { held_minor: held } = intent;
  return held === 0 ? [] : [{ ...issuedBy(intent), measure: 'held', transactions: sign, amountMinor: sign * held }];
}

type CountedPayment = Pick<
  PaymentRow,
  | 'tenant_id'
  | 'agent_did'
  | 'governed_did'
  | 'merchant'
  | 'mcc'
  | 'status'
  | 'amount_minor'
  | 'captured_minor'
  | 'currency'
  | 'authorized_at'
>;

/**
 * Counts a payment that was just stored, since one that is not decided yet may move money. What its intent reserves is from then on
 * what is paid, and it holds nothing any more.
 * @param intent as it was until then
 */
export function countPayment(payment: CountedPayment, intent: CountedIntent): Script<void> {
  return add([
    ...reservedBy(intent, payment.amount_minor - intent.reserved_minor),
    ...heldBy(intent, -1),
    ...paidBy(payment, 1),
  ]);
}

/**
 * Follows a transition: a payment that failed or was canceled counts no more, one that was authorized counts from then on, and one
 * that was captured in part counts with that part.
 */
export function* recountPayment(before: CountedPayment, after: CountedPayment): Script<void> {
  const isSame =
    isCounted(before) === isCounted(after) &&
    quarterOf(before) === quarterOf(after) &&
    spentMinorOf(before) === spentMinorOf(after);
  if (!isSame) yield* add([...paidBy(before, -1), ...paidBy(after, 1)]);
}

function paidBy(payment: CountedPayment, sign: 1 | -1): readonly Addition[] {
  if (!isCounted(payment)) return [];
  const { tenant_id: tenantId, agent_did: agentDid, governed_did: governedDid, merchant, mcc } = payment;
  const { authorized_at: at, currency, amount_minor: amount } = payment;
  const paid = { tenantId, agentDid, governedDid, merchant, mcc, at, currency, transactions: sign };
  return [
    { ...paid, measure: 'paid', amountMinor: sign * amount },
    { ...paid, measure: 'spent', amountMinor: sign * spentMinorOf(payment) },
  ];
}

function isCounted({ status }: CountedPayment): boolean {
  return status !== 'FAILED' && status !== 'CANCELED';
}

/** The states in which nothing was captured yet, so that all that was asked for is held. */
export const UNCAPTURED: readonly string[] = ['PENDING', 'UNKNOWN', 'AUTHORIZED'];

function spentMinorOf({ status, amount_minor: amount, captured_minor: captured }: CountedPayment): number {
  return UNCAPTURED.includes(status) ? amount : captured;
}

function quarterOf({ authorized_at: at }: CountedPayment): number {
  return Math.floor(at / QUARTER_MS);
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
