/**
 * What counts in limits, summed by buckets of time: intents from the moment they were made, payments from the moment they were
 * authorized. What a commit counts it adds to the row of the quarter of an hour in limit_tails; rollUp.ts moves the rows of quarters that
 * have ended into limit_buckets, and windowUse.ts adds up both.
 */
import { isWithin, type Narrowing } from '../../../../protocol/policy/values/spendingLimit.ts';
import { timeOfId } from '../../../../protocol/wire/id.ts';
import type { Script } from '../../store.ts';
import type { IntentRow } from '../purchases/intents.ts';
import type { PaymentRow } from '../purchases/payments.ts';
import { split } from '../queries.ts';
import { insertManyInto, integer, type RowOf, type Table, table, text } from '../tableDefinition.ts';
import { listNarrowings } from './limitNarrowings.ts';

const COUNTED = {
  /** Intents made in the bucket, those that have ended too, and what they reserve. */
  issued: integer,
  issued_high: integer,
  issued_low: integer,
  /** Payments authorized in the bucket that neither failed nor were canceled, and what was authorized. */
  paid: integer,
  paid_high: integer,
  paid_low: integer,
  /** Intents made in the bucket that are neither paid nor ended, and what they hold. */
  held: integer,
  held_high: integer,
  held_low: integer,
  /** As paid, of which a partial capture has freed the rest. */
  spent: integer,
  spent_high: integer,
  spent_low: integer,
};

export const limitBuckets = table(
  'limit_buckets',
  ['tenant_id', 'scope', 'bucket_quarters', 'bucket', 'currency'],
  {
    tenant_id: text,
    /** Whose purchases, and where or of what: see scopeKey. */
    scope: text,
    /** How many quarters of an hour a bucket is: one of BUCKET_QUARTERS. */
    bucket_quarters: integer,
    /** The number of the bucket, from 1970 on. */
    bucket: integer,
    currency: text,
    ...COUNTED,
  },
  {
    // A year is the longest window that is summed from them.
    retention: { deletedBy: 'a worker, 400 days after the bucket ended' },
    isTestData: true,
  },
);

/** What is to be added to the buckets of each length; it is negative where it takes back what they have already. */
export const limitTails = table(
  'limit_tails',
  ['tenant_id', 'scope', 'bucket', 'currency'],
  {
    tenant_id: text,
    /** As in limit_buckets. */
    scope: text,
    /** The number of the quarter of an hour, from 1970 on. */
    bucket: integer,
    currency: text,
    ...COUNTED,
  },
  {
    retention: { deletedBy: 'the worker that adds them to the buckets once their quarter of an hour has ended' },
    isTestData: true,
  },
);

/** What is counted. Intents count by the time of their ids, payments by the time at which they were authorized. */
export type BucketMeasure = 'issued' | 'paid' | 'held' | 'spent';

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
/** The lengths of buckets, in quarters of an hour: a year is some 70 buckets of these lengths. */
export const BUCKET_QUARTERS = [1, 32, 1024] as const;

/** What is added to the sums; negative to take it back. */
interface Addition {
  readonly measure: BucketMeasure;
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

const MEASURES = ['issued', 'paid', 'held', 'spent'] as const satisfies readonly BucketMeasure[];
const columnsOf = <Each extends BucketMeasure>(measure: Each) =>
  [measure, `${measure}_high`, `${measure}_low`] as const;
export const SUMS = MEASURES.flatMap(columnsOf);
const COLUMNS = Object.fromEntries(MEASURES.map((measure) => [measure, columnsOf(measure)])) as {
  readonly [Each in BucketMeasure]: ReturnType<typeof columnsOf<Each>>;
};

/** The clause of an INSERT that adds to the rows that there are. */
export function addingTo({ name, key }: Table): string {
  const sums = SUMS.map((sum) => `${sum} = ${name}.${sum} + excluded.${sum}`);
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sums.join(', ')}`;
}

const addToTails = insertManyInto(limitTails, addingTo(limitTails));

export type TailRow = RowOf<typeof limitTails>;

/** A row while it is summed: it is made once and changed in place, since a purchase adds to it several times. */
type GrowingRow = { -readonly [Name in keyof TailRow]: TailRow[Name] };

/** Rows to be added, by their keys: most additions of a commit are of the same quarter of an hour. */
export class Additions {
  readonly #rows = new Map<string, GrowingRow>();

  add(scope: string, { measure, tenantId, at, currency, transactions, high, low }: SummedAddition): void {
    const [countColumn, highColumn, lowColumn] = COLUMNS[measure];
    const bucket = Math.floor(at / QUARTER_MS);
    const key = `${scope} ${bucket} ${currency}`;
    let row = this.#rows.get(key);
    if (row === undefined) {
      row = emptyRow(tenantId, scope, bucket, currency);
      this.#rows.set(key, row);
    }
    row[countColumn] += transactions;
    row[highColumn] += high;
    row[lowColumn] += low;
  }

  /** Those that change something: what moves within a bucket changes nothing. */
  rows(): TailRow[] {
    return [...this.#rows.values()].filter((row) => SUMS.some((sum) => row[sum] !== 0));
  }
}

function emptyRow(tenantId: string, scope: string, bucket: number, currency: string): GrowingRow {
  return {
    tenant_id: tenantId,
    scope,
    bucket,
    currency,
    issued: 0,
    issued_high: 0,
    issued_low: 0,
    paid: 0,
    paid_high: 0,
    paid_low: 0,
    held: 0,
    held_high: 0,
    held_low: 0,
    spent: 0,
    spent_high: 0,
    spent_low: 0,
  };
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
    const { measure, tenantId, at, currency, transactions } = addition;
    const { high, low } = split(addition.amountMinor);
    const summed = { measure, tenantId, at, currency, transactions, high, low };
    for (const scope of scopesOf(addition, narrowings)) sums.add(scope, summed);
  }
  const rows = sums.rows();
  if (rows.length > 0) yield* addToTails(rows);
}

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
  return add(releasedBy(intent));
}

function releasedBy(intent: CountedIntent): readonly Addition[] {
  return [...reservedBy(intent, -intent.reserved_minor), ...heldBy(intent, -1)];
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
 * @param released the payment's intent as it was until then, where it reserves nothing any more
 */
export function* recountPayment(before: CountedPayment, after: CountedPayment, released?: CountedIntent): Script<void> {
  const isSame =
    isCounted(before) === isCounted(after) &&
    quarterOf(before) === quarterOf(after) &&
    spentMinorOf(before) === spentMinorOf(after);
  const moved = isSame ? [] : [...paidBy(before, -1), ...paidBy(after, 1)];
  yield* add(released === undefined ? moved : [...releasedBy(released), ...moved]);
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
