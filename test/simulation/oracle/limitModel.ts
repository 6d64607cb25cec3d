/**
 * What the limits of `risk.limits` count, written from docs/reference/policies.md and docs/guides/limits.md: what intents hold and what
 * payments have taken, one after another, with no sum kept. Times are exact: an intent counts from the time in its id, a payment from
 * the event that asked for it, and from the one that authorized it. One thing no event tells: when a worker gives an intent its
 * maximum back after its approval ended unused. From that end on both amounts are possible, a little before it where clocks differ,
 * and always where a clock was set.
 */
import categories from '../../../data/categories.json' with { type: 'json' };
import { beginOf, type Period } from './localTime.ts';
import type { Rules } from './policyModel.ts';
import type { AgentLimit } from './shapes.ts';
import { thousandthsOf } from './thousandths.ts';
import { durationMs } from './windowModel.ts';

export interface Limit {
  readonly name: string;
  readonly maxTransactions: number | undefined;
  /** In thousandths. */
  readonly maxAmount: number | undefined;
  readonly currency: string | undefined;
  readonly window: string;
  readonly timezone: string;
  readonly scope: 'agent' | 'principal' | 'policy';
  readonly merchant: string | undefined;
  readonly category: string | undefined;
  readonly action: 'deny' | 'presence';
}

/** The limits that hold for an agent: its own take the place of those that the policy has for each agent. */
export function budgetsOf({ spend, context, risk }: Rules, own: AgentLimit | undefined): readonly Limit[] {
  const limits = [
    ...(own?.limits ?? []).map(({ maxTransactions, maxAmount, ...limit }) => ({
      ...limit,
      max_transactions: maxTransactions,
      max_amount: maxAmount,
    })),
    ...risk.limits.filter(({ scope = 'agent' }) => scope !== 'agent' || own?.limits === undefined),
  ];
  return limits.map((limit) => ({
    name: limit.name,
    maxTransactions: limit.max_transactions,
    maxAmount: thousandthsOf(limit.max_amount),
    currency: limit.currency ?? spend.currency,
    window: limit.window,
    timezone: limit.timezone ?? 'UTC',
    scope: limit.scope ?? 'agent',
    merchant: limit.merchant,
    category: limit.category,
    action: context.presence === 'never' ? 'deny' : (limit.action ?? 'deny'),
  }));
}

/** Who buys, and whose money it is where that principal is governed. */
export interface Buyer {
  readonly agent: string;
  readonly governed: string | undefined;
}

/** Where, and of which category, as far as it is known. */
interface Place {
  readonly merchant: string | undefined;
  readonly mcc: string | undefined;
}

export interface Bought extends Buyer, Place {
  /** In thousandths. */
  readonly thousandths: number;
  readonly currency: string;
}

interface Hold extends Place {
  readonly amount: number;
}

interface Intent extends Buyer {
  readonly at: number;
  readonly currency: string;
  readonly most: Hold;
  /** Its maximum, or the cart's total. */
  hold: Hold;
  /** When the approval ends for which it holds less than its maximum. */
  lapsesAt: number | undefined;
  /** Names of limits that it was over when it was issued: for certain, and perhaps. */
  readonly over: { readonly surely: ReadonlySet<string>; readonly possibly: ReadonlySet<string> };
}

interface Payment extends Buyer, Place {
  at: number;
  amount: number;
  readonly currency: string;
}

/** A number of which no more is known than its ends. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What a limit counts besides a purchase. */
export interface Counted {
  readonly limit: Limit;
  readonly purchases: Range;
  /** In thousandths. */
  readonly amount: Range;
}

/** What a limit says of a purchase: passed for certain, or perhaps. */
export interface Verdict extends Counted {
  readonly isAbout: boolean;
  readonly passes: readonly { readonly code: Code; readonly surely: boolean; readonly possibly: boolean }[];
}

type Code = 'VELOCITY_EXCEEDED' | 'SPENDING_LIMIT_EXCEEDED';

/** Clocks of good machines differ by so much at most, one ahead and one behind. */
const CLOCKS_MS = 3000;

export class Ledger {
  readonly #intents = new Map<string, Intent>();
  readonly #payments = new Map<string, Payment>();
  readonly #ended = new Map<string, Payment>();
  #clocksJump = false;

  /** From now on a worker may have taken an approval for ended long before that, or long after. */
  expectJumps(): void {
    this.#clocksJump = true;
  }

  /** @param at by its id @param verdicts what its limits said of it */
  issue(id: string, at: number, bought: Bought, verdicts: readonly Verdict[]): void {
    const { agent, governed, currency, thousandths: amount, merchant, mcc } = bought;
    const hold = { amount, merchant, mcc };
    const asking = verdicts.filter(({ limit, isAbout }) => isAbout && limit.action === 'presence');
    const over = (how: 'surely' | 'possibly') =>
      new Set(asking.filter(({ passes }) => passes.some((each) => each[how])).map(({ limit }) => limit.name));
    const overs = { surely: over('surely'), possibly: over('possibly') };
    this.#intents.set(id, { agent, governed, at, currency, most: hold, hold, lapsesAt: undefined, over: overs });
  }

  /** A cart was approved: its total is held, where it is bought. */
  approve(id: string, hold: Hold, tokenEndsAt: number): void {
    const intent = this.#intents.get(id);
    if (intent !== undefined) Object.assign(intent, { hold, lapsesAt: tokenEndsAt });
  }

  /** An intent has ended. */
  release(id: string): void {
    this.#intents.delete(id);
  }

  /** What an intent held is what its payment takes. */
  pay(intentId: string, id: string, at: number, bought: Bought): void {
    const { agent, governed, currency, thousandths: amount, merchant, mcc } = bought;
    this.#intents.delete(intentId);
    this.#payments.set(id, { agent, governed, currency, amount, merchant, mcc, at });
  }

  authorize(id: string, at: number): void {
    const payment = this.#payments.get(id);
    if (payment !== undefined) payment.at = Math.max(payment.at, at);
  }

  /** Of a capture in part the rest is free. */
  capture(id: string, amount: number): void {
    const payment = this.#payments.get(id);
    if (payment !== undefined) payment.amount = amount;
  }

  /** A payment was declined or cancelled. */
  end(id: string): void {
    const payment = this.#payments.get(id);
    if (payment !== undefined) this.#ended.set(id, payment);
    this.#payments.delete(id);
  }

  /** What had been cancelled was paid elsewhere. */
  resume(id: string): void {
    const payment = this.#ended.get(id);
    if (payment !== undefined) this.#payments.set(id, payment);
  }

  /** Forgets payments before a moment, which no window reaches any more. */
  forget(before: number): void {
    for (const known of [this.#payments, this.#ended]) {
      for (const [id, { at }] of known) if (at < before) known.delete(id);
    }
  }

  /** What limits say of a purchase. @param own its intent, where it has one @param now when it was judged */
  judge(limits: readonly Limit[], bought: Bought, now: number, own?: string): readonly Verdict[] {
    return limits.map((limit) => {
      const counted = this.#counted(limit, bought, now, own);
      const isAbout = (limit.currency ?? bought.currency) === bought.currency && isWithin(limit, bought);
      return { ...counted, isAbout, passes: isAbout ? passesOf(counted, bought) : [] };
    });
  }

  #counted(limit: Limit, bought: Bought, now: number, own: string | undefined): Counted {
    const from = beginningOf(limit, now);
    const paid = sumOf(this.#paid(limit, bought, from));
    const held = sumOf(this.#held(limit, bought, from, now, own));
    const all = { purchases: add(paid.purchases, held.purchases), amount: add(paid.amount, held.amount) };
    const intent = own === undefined ? undefined : this.#intents.get(own);
    if (intent === undefined) return { limit, ...all };
    const ways = this.#holdsOf(intent, now).flatMap((hold) => {
      const hasRoom = intent.at >= from && isOfScope(limit, bought, intent) && isWithin(limit, hold);
      if (!hasRoom || hold.amount < bought.thousandths || intent.over.surely.has(limit.name)) return [all];
      return intent.over.possibly.has(limit.name) ? [all, paid] : [paid];
    });
    const between = (name: 'purchases' | 'amount'): Range => ({
      least: Math.min(...ways.map((way) => way[name].least)),
      most: Math.max(...ways.map((way) => way[name].most)),
    });
    return { limit, purchases: between('purchases'), amount: between('amount') };
  }

  #paid(limit: Limit, bought: Bought, from: number): readonly (readonly number[])[] {
    return (
      [...this.#payments.values()]
        .filter((payment) => payment.at >= from && isOfScope(limit, bought, payment) && isWithin(limit, payment))
        .filter(({ currency }) => (limit.currency ?? currency) === currency)
        // Currencies are never added: another one's purchases count by their number alone.
        .map(({ amount, currency }) => [currency === bought.currency ? amount : 0])
    );
  }

  /** Of each intent what it may count as; no amount where it may not count. */
  #held(limit: Limit, bought: Bought, from: number, now: number, own: string | undefined) {
    return [...this.#intents].flatMap(([id, intent]) => {
      if (id === own || intent.at < from || !isOfScope(limit, bought, intent)) return [];
      if ((limit.currency ?? intent.currency) !== intent.currency) return [];
      const isAlike = intent.currency === bought.currency;
      const amountOf = (hold: Hold) => (isAlike ? hold.amount : 0);
      return [this.#holdsOf(intent, now).map((hold) => (isWithin(limit, hold) ? amountOf(hold) : undefined))];
    });
  }

  #holdsOf({ hold, most, lapsesAt }: Intent, now: number): readonly Hold[] {
    const mayHaveLapsed = lapsesAt !== undefined && (this.#clocksJump || now >= lapsesAt - CLOCKS_MS);
    return mayHaveLapsed ? [hold, most] : [hold];
  }
}

/** The first millisecond that counts. */
function beginningOf({ window, timezone }: Limit, now: number): number {
  return /^\d/.test(window) ? now - durationMs(window) + 1 : beginOf(window as Period, timezone, now);
}

/** Whether something counts together with a purchase. For a mere name of a principal its agent stands. */
function isOfScope({ scope }: Limit, { agent, governed }: Buyer, other: Buyer): boolean {
  if (scope === 'policy') return true;
  return scope === 'principal' && governed !== undefined ? other.governed === governed : other.agent === agent;
}

function isWithin({ merchant: pattern, category }: Limit, { merchant, mcc }: Place): boolean {
  const codes: readonly string[] =
    category === undefined ? [] : ((categories as Record<string, string[]>)[category] ?? []);
  if (category !== undefined && (mcc === undefined || !codes.includes(mcc))) return false;
  if (pattern === undefined) return true;
  if (pattern.startsWith('*.')) return merchant?.endsWith(pattern.slice(1)) === true;
  return merchant === pattern;
}

function sumOf(each: readonly (readonly (number | undefined)[])[]): Pick<Counted, 'purchases' | 'amount'> {
  const ends = (of: (amount: number | undefined) => number): Range => ({
    least: each.reduce((sum, amounts) => sum + Math.min(...amounts.map(of)), 0),
    most: each.reduce((sum, amounts) => sum + Math.max(...amounts.map(of)), 0),
  });
  return { purchases: ends((amount) => (amount === undefined ? 0 : 1)), amount: ends((amount = 0) => amount) };
}

function add(one: Range, other: Range): Range {
  return { least: one.least + other.least, most: one.most + other.most };
}

function passesOf({ limit, purchases, amount }: Counted, { thousandths }: Bought): Verdict['passes'] {
  const { maxTransactions, maxAmount } = limit;
  const over = (code: Code, { least, most }: Range, more: number, max: number) => ({
    code,
    surely: least + more > max,
    possibly: most + more > max,
  });
  return [
    ...(maxTransactions === undefined ? [] : [over('VELOCITY_EXCEEDED', purchases, 1, maxTransactions)]),
    ...(maxAmount === undefined ? [] : [over('SPENDING_LIMIT_EXCEEDED', amount, thousandths, maxAmount)]),
  ];
}
