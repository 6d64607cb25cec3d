/** The history of agents in memory: the facts a policy needs, over a sequence of requests in order of time. */
import { toMinor } from '../money.ts';
import type { PolicyFacts } from './check.ts';
import type { CompiledPolicy } from './compile.ts';
import { MAX_DURATION_MS } from './values/duration.ts';
import { type CompiledLimit, limitsFor, spentIn, type VelocityLimit } from './values/velocityLimit.ts';

/** How many payments the anomaly rule considers. */
const PAID_LENGTH = 50;
/** So many entries have left a window when their places are given back. */
const MOST_LEFT = 1000;

interface Counted {
  readonly at: number;
  readonly currency: string;
  reservedMinor: number;
  /** The windows that still hold it. */
  readonly windows: Set<Window>;
}

interface Window {
  readonly ms: number;
  readonly entries: Counted[];
  /** Entries before this position have left the window. */
  start: number;
  readonly amounts: Map<string, number>;
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
  readonly currency: string;
  readonly merchantDomain?: string | undefined;
}

export class History {
  readonly #policy: CompiledPolicy;
  readonly #begin: StartingHistory | undefined;
  /** By scope, then by length. */
  readonly #windows = new Map<string, Map<number, Window>>();
  readonly #velocities = new Map<string, VelocityLimit>();
  readonly #counted = new Map<string, Counted>();
  /** The ids of those, in order of time. */
  readonly #order: string[] = [];
  #dropped = 0;
  /** In order of time, by agent. */
  readonly #ofAgent = new Map<string, Counted[]>();
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
      velocity: this.#windowsOf(asked.agentDid, now).map(({ limit, window }) => {
        advance(window, now);
        const begun = this.#begin !== undefined && this.#begin.at > now - window.ms ? this.#begin : undefined;
        return {
          limit,
          count: window.entries.length - window.start + (begun?.transactions ?? 0),
          amountMinor:
            spentIn(rules, Object.fromEntries(window.amounts), asked.currency) + minorOf(begun?.spent, asked.currency),
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
    const { agentDid, currency } = asked;
    const windows = this.#windowsOf(agentDid, now).map(({ window }) => window);
    const entry: Counted = { at: now, currency, reservedMinor: amountMinor, windows: new Set(windows) };
    for (const window of windows) {
      window.entries.push(entry);
      add(window, currency, amountMinor);
    }
    this.#counted.set(mandateId, entry);
    this.#order.push(mandateId);
    const own = this.#ofAgent.get(agentDid) ?? [];
    own.push(entry);
    this.#ofAgent.set(agentDid, own);
    this.#dropOld(own, now);
  }

  /** No window is longer than the longest: what has left that counts nowhere any more, also where a limit changes. */
  #dropOld(own: Counted[], now: number): void {
    if ((own[MOST_LEFT]?.at ?? now) <= now - MAX_DURATION_MS) own.splice(0, MOST_LEFT);
    for (;;) {
      const oldest = this.#order[this.#dropped];
      const entry = oldest === undefined ? undefined : this.#counted.get(oldest);
      if (oldest === undefined || (entry !== undefined && entry.at > now - MAX_DURATION_MS)) break;
      this.#counted.delete(oldest);
      this.#dropped += 1;
    }
    if (this.#dropped < MOST_LEFT) return;
    this.#order.splice(0, this.#dropped);
    this.#dropped = 0;
  }

  /** Changes what an intent reserves: to the amount paid, or to 0. */
  settle(mandateId: string, reservedMinor: number): void {
    const entry = this.#counted.get(mandateId);
    if (entry === undefined) return;
    for (const window of entry.windows) add(window, entry.currency, reservedMinor - entry.reservedMinor);
    entry.reservedMinor = reservedMinor;
  }

  /** Records an authorised payment. */
  pay(asked: HistoryQuery, amountMinor: number): void {
    const paid = [amountMinor, ...this.#paidBy(asked)].slice(0, PAID_LENGTH);
    this.#paid.set(`${asked.agentDid} ${asked.currency}`, paid);
    if (asked.merchantDomain !== undefined) this.#merchants.add(`${asked.agentDid} ${asked.merchantDomain}`);
  }

  /** Sets an agent's own limit. Its windows are counted anew, as the node does: what it bought before counts. */
  setVelocity(agentDid: string, velocity: VelocityLimit): void {
    this.#velocities.set(agentDid, velocity);
    this.#windows.delete(agentDid);
  }

  #paidBy({ agentDid, currency }: HistoryQuery): readonly number[] {
    const begun = () => (this.#begin?.paid ?? []).map((amount) => minorOf(amount, currency)).slice(0, PAID_LENGTH);
    return this.#paid.get(`${agentDid} ${currency}`) ?? begun();
  }

  #windowsOf(agentDid: string, now: number): { readonly limit: CompiledLimit; readonly window: Window }[] {
    return limitsFor(this.#policy, this.#velocities.get(agentDid)).map((limit) => {
      const scope = limit.scope === 'policy' ? 'policy' : agentDid;
      const windows = this.#windows.get(scope) ?? new Map<number, Window>();
      this.#windows.set(scope, windows);
      const window = windows.get(limit.windowMs) ?? this.#count(scope, limit.windowMs, now);
      windows.set(limit.windowMs, window);
      return { limit, window };
    });
  }

  /** A window with what one agent bought within it; that of the whole policy is there from the first request on. */
  #count(agentDid: string, ms: number, now: number): Window {
    const window: Window = { ms, entries: [], start: 0, amounts: new Map() };
    const own = this.#ofAgent.get(agentDid) ?? [];
    const before = own.findLastIndex(({ at }) => at <= now - ms);
    for (const entry of own.slice(before + 1)) {
      window.entries.push(entry);
      entry.windows.add(window);
      add(window, entry.currency, entry.reservedMinor);
    }
    return window;
  }
}

/** @throws Fault BAD_REQUEST for an amount that its currency does not have */
function minorOf(amount: number | undefined, currency: string): number {
  return amount === undefined ? 0 : toMinor(amount, currency, { allowZero: true });
}

/** Removes the entries that have left a window. */
function advance(window: Window, now: number): void {
  for (;;) {
    const first = window.entries[window.start];
    if (first === undefined || first.at > now - window.ms) return;
    add(window, first.currency, -first.reservedMinor);
    first.windows.delete(window);
    window.start += 1;
    if (window.start < MOST_LEFT) continue;
    window.entries.splice(0, window.start);
    window.start = 0;
  }
}

function add(window: Window, currency: string, amountMinor: number): void {
  window.amounts.set(currency, (window.amounts.get(currency) ?? 0) + amountMinor);
}
