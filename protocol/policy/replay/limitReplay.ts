/** What each limit of a draft has to do with the requests of a replay: what was asked of it, and what it would have stopped. */
import { z } from 'zod';
import type { IntentDecision } from '../../intent.ts';
import { fromMinor } from '../../money.ts';
import type { ReasonCode } from '../../reason.ts';
import { compact } from '../../wire/compact.ts';
import { isoTime } from '../../wire/time.ts';
import type { CheckInput } from '../check.ts';
import type { CompiledPolicy } from '../compile.ts';
import { isAbout, LimitState, limitsOver } from '../limitUse.ts';
import type { LimitWindow } from '../values/limitWindow.ts';
import { type CompiledLimit, limitsFor } from '../values/spendingLimit.ts';

const RequestSum = z.object({
  requests: z.int(),
  money: z.array(z.object({ currency: z.string(), amount: z.number() })).describe('What they asked for, by currency.'),
});
type RequestSum = z.infer<typeof RequestSum>;

export const LimitReplay = z.object({
  name: LimitState.shape.name,
  scope: LimitState.shape.scope,
  window: z.string(),
  timezone: LimitState.shape.timezone,
  action: LimitState.shape.action,
  asked: RequestSum.extend({
    from: z.string(),
    to: z.string().describe('The end, excluded.'),
    agentDid: z.string().optional().describe('Who asked for the most, where each agent has the limit to itself.'),
    principalDid: z
      .string()
      .optional()
      .describe('As agentDid, where agents that spend the same money share the limit.'),
  })
    .optional()
    .describe(
      'What was asked for that it counts, allowed or refused, in the last whole period before `at`; for a duration, in the one that ends then. Absent where part of the period lies before what was read.',
    ),
  refused: RequestSum.describe('Requests that it refuses, and that no rule but limits refuses.'),
  person: RequestSum.describe('Requests that it sends to a person.'),
});
export type LimitReplay = z.infer<typeof LimitReplay>;

/** Whose request it was. */
interface Asker {
  readonly agentDid: string;
  /** Of a registered principal. */
  readonly principalDid?: string | undefined;
}

interface LimitTally {
  /** Counts a request that a limit may be about, whether the request was allowed or refused. */
  ask(input: CheckInput, asker: Asker): void;
  /** Counts what the limits do to a request that is judged, as the draft as a whole decides. */
  judge(input: CheckInput, decision: IntentDecision): void;
  /** @param readSince milliseconds since the epoch; requests before it were not read */
  result(readSince: number): LimitReplay[];
}

/** A window's last whole period: of the calendar the one before the present one; of a duration the one that ends now. */
interface Period {
  /** Milliseconds since the epoch, the end excluded. */
  readonly from: number;
  readonly to: number;
}

/** @param at when the replay ends, in milliseconds since the epoch */
function lastPeriod(window: LimitWindow, at: number): Period {
  const begins = window.beginsAt(at);
  return window.endsAt(at) === undefined
    ? { from: begins, to: at + 1 }
    : { from: window.beginsAt(begins - 1), to: begins };
}

class Sum {
  requests = 0;
  readonly #money = new Map<string, number>();

  add({ currency, amountMinor }: CheckInput['request']): void {
    this.requests += 1;
    this.#money.set(currency, Math.min(this.in(currency) + amountMinor, Number.MAX_SAFE_INTEGER));
  }

  in(currency: string): number {
    return this.#money.get(currency) ?? 0;
  }

  shown(): RequestSum {
    const money = [...this.#money].sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      requests: this.requests,
      money: money.map(([currency, minor]) => ({ currency, amount: fromMinor(minor, currency) })),
    };
  }
}

interface Holder {
  readonly agentDid?: string;
  readonly principalDid?: string;
}

interface LimitCount {
  readonly limit: CompiledLimit;
  readonly period: Period;
  /** By whose purchases count together. */
  readonly asked: Map<string, { readonly holder: Holder; readonly sum: Sum }>;
  readonly refused: Sum;
  readonly person: Sum;
}

/** The reasons that limits over time refuse by. */
const LIMIT_CODES: ReadonlySet<ReasonCode> = new Set(['VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED']);

/** @param at when the replay ends, in milliseconds since the epoch */
export function tallyLimits(policy: CompiledPolicy, at: number): LimitTally {
  const counts = limitsFor(policy).map(
    (limit): LimitCount => ({
      limit,
      period: lastPeriod(limit.window, at),
      asked: new Map(),
      refused: new Sum(),
      person: new Sum(),
    }),
  );
  const countOf = new Map(counts.map((count) => [count.limit, count]));
  return {
    ask({ facts, request, now }, asker) {
      // An agent that has limits of its own is not held to those that they replace.
      for (const { limit } of facts.limits) {
        const count = countOf.get(limit);
        if (count === undefined || now < count.period.from || now >= count.period.to) continue;
        if (isAbout(limit, request)) sumOf(count, asker).add(request);
      }
    },
    judge(input, decision) {
      // What another rule refuses, no limit has cut.
      if (!decision.allowed && !decision.reasonCodes.every((code) => LIMIT_CODES.has(code))) return;
      for (const limit of limitsOver(input)) {
        const count = countOf.get(limit);
        if (limit.action === 'deny') count?.refused.add(input.request);
        else if (decision.allowed) count?.person.add(input.request);
      }
    },
    result: (readSince) => counts.map((count) => shown(count, policy, readSince)),
  };
}

function sumOf({ limit, asked }: LimitCount, asker: Asker): Sum {
  const holder = holderOf(limit, asker);
  const key = JSON.stringify(holder);
  const entry = asked.get(key) ?? { holder, sum: new Sum() };
  asked.set(key, entry);
  return entry.sum;
}

/** An agent stands for a principal that is a mere name. */
function holderOf({ scope }: CompiledLimit, { agentDid, principalDid }: Asker): Holder {
  if (scope === 'policy') return {};
  return scope === 'principal' && principalDid !== undefined ? { principalDid } : { agentDid };
}

function shown(
  { limit, period, asked, refused, person }: LimitCount,
  policy: CompiledPolicy,
  readSince: number,
): LimitReplay {
  const { name, scope, window, action } = limit;
  return compact({
    name,
    scope,
    window: window.text,
    timezone: window.timezone,
    action,
    asked: period.from < readSince ? undefined : { ...spanText(period), ...mostAsked(limit, asked, policy) },
    refused: refused.shown(),
    person: person.shown(),
  });
}

function spanText({ from, to }: Period) {
  return { from: isoTime(from), to: isoTime(to) };
}

/** What was asked for by who asked for the most: by its sum where the limit has one, else by its number. */
function mostAsked(limit: CompiledLimit, asked: LimitCount['asked'], { rules }: CompiledPolicy) {
  const currency = limit.maxAmount === undefined ? undefined : (limit.currency ?? rules.spend?.currency);
  const sizeOf = (sum: Sum) => (currency === undefined ? sum.requests : sum.in(currency));
  const [most] = [...asked.values()].sort((one, other) => sizeOf(other.sum) - sizeOf(one.sum));
  return { ...most?.holder, ...(most?.sum ?? new Sum()).shown() };
}
