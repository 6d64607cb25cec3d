/** The history of agents in memory: the facts a policy needs, over a sequence of requests in order of time. */
import { toMinor } from '../../money.ts';
import type { PolicyFacts } from '../check.ts';
import type { CompiledPolicy } from '../compile.ts';
import { isAbout } from '../limitUse.ts';
import { MAX_LIMIT_MS } from '../values/limitWindow.ts';
import { amountOf, type CompiledLimit, limitsFor, type VelocityLimit } from '../values/spendingLimit.ts';

/** How many payments the anomaly rule considers. */
const PAID_LENGTH = 50;
/** So many entries have left a window when their places are given back. */
const MOST_LEFT = 1000;

/** What counts in limits of one kind: an intent that was issued, or what a purchase holds or has paid. */
interface UseEntry {
  readonly kind: CompiledLimit['counts'];
  readonly at: number;
  readonly asked: HistoryQuery;
  /** 1, and 0 once it counts no more. */
  count: 0 | 1;
  amountMinor: number;
  /** The windows that still hold it. */
  readonly windows: Set<Window>;
}

interface Window {
  readonly limit: CompiledLimit;
  readonly entries: UseEntry[];
  /** Entries before this position have left the window. */
  start: number;
  count: number;
  readonly amounts: Map<string, number>;
}

/** What a purchase counts as: its intent, and from then on what it holds or has paid. */
interface Purchase {
  readonly issued: UseEntry;
  held: UseEntry;
}

/** A history that the caller states, which every agent has from a moment on. */
export interface StartingHistory {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** How many purchases the windows hold then, and below their sum, in units of the currency that is asked for. */
  readonly transactions: number;
  readonly spent: number;
  readonly newMerchant: boolean;
  /** Earlier paid amounts, the latest first. */
  readonly paid: readonly number[];
}

export interface HistoryQuery {
  readonly agentDid: string;
  /** Whose money it is, where that principal is registered. */
  readonly principalDid?: string | undefined;
  readonly currency: string;
  readonly merchantDomain?: string | undefined;
  readonly mcc?: string | undefined;
}

export class History {
  readonly #policy: CompiledPolicy;
  readonly #begin: StartingHistory | undefined;
  /** By whose purchases count, then by what the limit counts and how far back. */
  readonly #windows = new Map<string, Map<string, Window>>();
  readonly #velocities = new Map<string, VelocityLimit>();
  readonly #purchases = new Map<string, Purchase>();
  /** The ids of those, in order of time. */
  readonly #order: string[] = [];
  #dropped = 0;
  /** In order of time, by agent. */
  readonly #ofAgent = new Map<string, UseEntry[]>();
  readonly #paid = new Map<string, readonly number[]>();
  readonly #merchants = new Set<string>();

  /** @param begin what every agent has before its first request; nothing when left out */
  constructor(policy: CompiledPolicy, begin?: StartingHistory) {
    this.#policy = policy;
    this.#begin = begin;
  }

  /** @param now milliseconds since the epoch, never before an earlier call's */
  factsFor(asked: HistoryQuery, now: number): PolicyFacts {
    const { rules } = this.#policy;
    return {
      limits: this.#windowsOf(asked, now).map(({ limit, window }) => {
        const from = limit.window.beginsAt(now);
        advance(window, from);
        const begun = this.#begin !== undefined && this.#begin.at >= from ? this.#begin : undefined;
        return {
          limit,
          count: window.count + (begun?.transactions ?? 0),
          amountMinor:
            amountOf(Object.fromEntries(window.amounts), asked.currency) + minorOf(begun?.spent, asked.currency),
        };
      }),
      newMerchant:
        this.#begin?.newMerchant !== false &&
        rules.context?.presence_new_merchant === true &&
        asked.merchantDomain !== undefined &&
        !this.#merchants.has(`${asked.agentDid} ${asked.merchantDomain}`),
      paidAmountsMinor: rules.risk?.anomaly === undefined ? [] : this.#paidBy(asked),
    };
  }

  /** Counts an allowed intent. */
  reserve(mandateId: string, asked: HistoryQuery, amountMinor: number, now: number): void {
    const issued = this.#count('issued', asked, amountMinor, now);
    this.#purchases.set(mandateId, { issued, held: this.#count('held', asked, amountMinor, now) });
    this.#order.push(mandateId);
    this.#dropOld(issued.asked.agentDid, now);
  }

  #count(kind: UseEntry['kind'], asked: HistoryQuery, amountMinor: number, now: number): UseEntry {
    const entry: UseEntry = { kind, at: now, asked, count: 1, amountMinor, windows: new Set() };
    for (const { window } of this.#windowsOf(asked, now)) enter(window, entry);
    const own = this.#ofAgent.get(asked.agentDid) ?? [];
    own.push(entry);
    this.#ofAgent.set(asked.agentDid, own);
    return entry;
  }

  /** No window is longer than the longest: what has left that counts nowhere any more, also where a limit changes. */
  #dropOld(agentDid: string, now: number): void {
    const own = this.#ofAgent.get(agentDid) ?? [];
    if ((own[MOST_LEFT]?.at ?? now) <= now - MAX_LIMIT_MS) own.splice(0, MOST_LEFT);
    for (;;) {
      const oldest = this.#order[this.#dropped];
      const purchase = oldest === undefined ? undefined : this.#purchases.get(oldest);
      if (oldest === undefined || (purchase !== undefined && purchase.issued.at > now - MAX_LIMIT_MS)) break;
      this.#purchases.delete(oldest);
      this.#dropped += 1;
    }
    if (this.#dropped < MOST_LEFT) return;
    this.#order.splice(0, this.#dropped);
    this.#dropped = 0;
  }

  /** Releases what an intent reserved and held, or what was paid: its number stays where issued intents count. */
  release(mandateId: string): void {
    const purchase = this.#purchases.get(mandateId);
    if (purchase === undefined) return;
    change(purchase.issued, 1, 0);
    change(purchase.held, 0, 0);
  }

  /** Changes what a purchase counts as to what is paid, at the time of its payment. */
  settle(mandateId: string, merchantDomain: string | undefined, amountMinor: number, now: number): void {
    const purchase = this.#purchases.get(mandateId);
    if (purchase === undefined) return;
    const { asked } = purchase.held;
    change(purchase.issued, 1, amountMinor);
    change(purchase.held, 0, 0);
    purchase.held = this.#count(
      'held',
      { ...asked, merchantDomain: merchantDomain ?? asked.merchantDomain },
      amountMinor,
      now,
    );
  }

  /** Records an authorised payment. */
  pay(asked: HistoryQuery, amountMinor: number): void {
    const paid = [amountMinor, ...this.#paidBy(asked)].slice(0, PAID_LENGTH);
    this.#paid.set(`${asked.agentDid} ${asked.currency}`, paid);
    if (asked.merchantDomain !== undefined) this.#merchants.add(`${asked.agentDid} ${asked.merchantDomain}`);
  }

  /** Sets an agent's own limits. Its windows are counted anew, as the node does: what it bought before counts. */
  setVelocity(agentDid: string, velocity: VelocityLimit): void {
    this.#velocities.set(agentDid, velocity);
    this.#windows.delete(agentDid);
  }

  #paidBy({ agentDid, currency }: HistoryQuery): readonly number[] {
    const begun = () => (this.#begin?.paid ?? []).map((amount) => minorOf(amount, currency)).slice(0, PAID_LENGTH);
    return this.#paid.get(`${agentDid} ${currency}`) ?? begun();
  }

  #windowsOf(asked: HistoryQuery, now: number): { readonly limit: CompiledLimit; readonly window: Window }[] {
    return limitsFor(this.#policy, this.#velocities.get(asked.agentDid)).map((limit) => {
      const scope = scopeOf(limit, asked);
      const windows = this.#windows.get(scope) ?? new Map<string, Window>();
      this.#windows.set(scope, windows);
      const key = JSON.stringify([
        limit.counts,
        limit.window.text,
        limit.window.timezone,
        limit.currency,
        limit.narrowing,
      ]);
      const window = windows.get(key) ?? this.#fill(scope, limit, now);
      windows.set(key, window);
      return { limit, window };
    });
  }

  /** A window with what one agent bought within it; those that several share are there from the first request on. */
  #fill(scope: string, limit: CompiledLimit, now: number): Window {
    const window: Window = { limit, entries: [], start: 0, count: 0, amounts: new Map() };
    const from = limit.window.beginsAt(now);
    for (const entry of this.#ofAgent.get(scope) ?? []) {
      if (entry.at >= from) enter(window, entry);
    }
    return window;
  }
}

/** Whose purchases count together: an agent's DID, or a name that no agent has. An agent stands for a principal that is a mere name. */
function scopeOf({ scope }: CompiledLimit, { agentDid, principalDid }: HistoryQuery): string {
  if (scope === 'policy') return 'policy';
  return scope === 'principal' && principalDid !== undefined ? `principal ${principalDid}` : agentDid;
}

/** @throws Fault BAD_REQUEST for an amount that its currency does not have */
function minorOf(amount: number | undefined, currency: string): number {
  return amount === undefined ? 0 : toMinor(amount, currency, { allowZero: true });
}

/** @param from the first millisecond that counts: what was entered before it leaves the window */
function advance(window: Window, from: number): void {
  for (;;) {
    const first = window.entries[window.start];
    if (first === undefined || first.at >= from) return;
    add(window, first, -1);
    first.windows.delete(window);
    window.start += 1;
    if (window.start < MOST_LEFT) continue;
    window.entries.splice(0, window.start);
    window.start = 0;
  }
}

/** Counts an entry in a window, where that is about it. */
function enter(window: Window, entry: UseEntry): void {
  const { limit } = window;
  if (limit.counts !== entry.kind || !isAbout(limit, { ...entry.asked, amountMinor: entry.amountMinor })) return;
  window.entries.push(entry);
  entry.windows.add(window);
  add(window, entry, 1);
}

function change(entry: UseEntry, count: 0 | 1, amountMinor: number): void {
  for (const window of entry.windows) add(window, entry, -1);
  entry.count = count;
  entry.amountMinor = amountMinor;
  for (const window of entry.windows) add(window, entry, 1);
}

function add(window: Window, { count, amountMinor, asked: { currency } }: UseEntry, sign: 1 | -1): void {
  window.count += sign * count;
  window.amounts.set(currency, (window.amounts.get(currency) ?? 0) + sign * amountMinor);
}
