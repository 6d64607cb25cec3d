/**
 * Replays recorded requests with a draft policy and reports which decisions would flip and why. The facts (velocity,
 * first purchases, usual amounts) are those that the draft itself would have led to, from the first event on.
 */
import type { AgentStatus } from '../../agent.ts';
import type { EvidenceEvent } from '../../evidence/chain.ts';
import type { EvidenceType } from '../../evidence/eventTypes.ts';
import { decideIntent, type IntentDecision } from '../../intent.ts';
import { fromMinor, toMinor } from '../../money.ts';
import { type ReasonCode, type ReasonDetails, withReasons } from '../../reason.ts';
import type { Shopping } from '../../shopping.ts';
import { compact } from '../../wire/compact.ts';
import type { CompiledPolicy } from '../compile.ts';
import { checkInput, evaluate, type RuleTrace, traceOf } from '../evaluate.ts';
import { VelocityLimit } from '../values/spendingLimit.ts';
import { History, type HistoryQuery, type StartingHistory } from './history.ts';
import { type LimitReplay, tallyLimits } from './limitReplay.ts';

export interface ReplayedDecision {
  readonly allowed: boolean;
  readonly hpRequired: boolean;
  readonly reasonCodes: string[];
}

export interface Flip {
  readonly seq: number;
  readonly createdAt: string;
  readonly transactionId: string;
  readonly agentDid: string;
  readonly amount: number;
  readonly currency: string;
  readonly merchantDomain?: string;
  readonly was: ReplayedDecision;
  readonly would: ReplayedDecision;
  /** Why the draft refuses the request, if it does. */
  readonly details?: ReasonDetails;
}

/** A flip with what every rule of the draft says. */
interface TracedFlip extends Flip {
  readonly trace: RuleTrace[];
}

interface Totals {
  readonly requests: number;
  readonly wereAllowed: number;
  readonly wouldBeAllowed: number;
  readonly wouldNeedPresence: number;
  /** What intents were allowed up to, and would be, by currency. */
  readonly money: { readonly currency: string; readonly wasAllowed: number; readonly wouldBeAllowed: number }[];
}

export interface Replay extends Totals {
  readonly limits: readonly LimitReplay[];
  readonly flips: readonly Flip[];
}

/** The event types that a replay uses; it ignores others. */
export const REPLAYED_EVENTS = [
  'INTENT_ISSUED',
  'INTENT_DENIED',
  'INTENT_EXPIRED',
  'PM_ISSUED',
  'PAYMENT_AUTHORIZED',
  'PAYMENT_FAILED',
  'PAYMENT_CANCELED',
  'AGENT_VELOCITY_UPDATED',
] as const satisfies readonly EvidenceType[];

type ReplayedEvent = Pick<EvidenceEvent, 'seq' | 'eventType' | 'createdAt' | 'data'>;

/** A replay that receives a chain's events one by one, in order, so that a long chain need not be in memory. */
interface RunningReplay {
  add(event: ReplayedEvent): void;
  /** Of the events added so far. */
  totals(): Totals;
  /** What became of each limit of the draft. @param readSince milliseconds since the epoch; events before it were not added */
  limits(readSince: number): LimitReplay[];
}

interface Settings {
  /** Milliseconds since the epoch; requests before it are not judged. */
  readonly since: number;
  /** When the replay ends, in milliseconds since the epoch: no event is later. */
  readonly at: number;
  /** What every agent has before the first event. */
  readonly begin?: StartingHistory | undefined;
  /** Which principals are registered: the others are mere names. */
  readonly isRegistered?: ((principalDid: string) => boolean) | undefined;
  /** Gets each flip, and a function that tells its trace, which costs another judgement. */
  onFlip(flip: Flip, trace: () => RuleTrace[]): void;
}

/**
 * @param events a chain's events in order; those before `since` only contribute to the history
 * @param since milliseconds since the epoch; requests before it are not judged
 * @param at milliseconds since the epoch, not before the last event
 */
export function replayPolicy(
  policy: CompiledPolicy,
  events: Iterable<ReplayedEvent>,
  since: number,
  at: number,
): Replay {
  const flips: Flip[] = [];
  const replaying = startReplay(policy, { since, at, onFlip: (flip) => flips.push(flip) });
  for (const event of events) replaying.add(event);
  return { ...replaying.totals(), limits: replaying.limits(Number.NEGATIVE_INFINITY), flips };
}

/** Whether the agent wanted a person to confirm the cart, which no policy changes. */
function wasConfirmed({ shopping }: ReplayedEvent['data']): boolean {
  return (shopping as Shopping | undefined)?.confirmCart === true;
}

export function startReplay(
  policy: CompiledPolicy,
  { since, at: endsAt, begin, isRegistered = () => false, onFlip }: Settings,
): RunningReplay {
  const tally = tallyLimits(policy, endsAt);
  const history = new History(policy, begin);
  const totals = { requests: 0, wereAllowed: 0, wouldBeAllowed: 0, wouldNeedPresence: 0 };
  const money = new Map<string, { was: number; would: number }>();
  // Intents that the draft refuses and that were issued: it leads to none of what was paid with them.
  const refused = new Set<string>();
  return {
    add(event) {
      if (event.eventType !== 'INTENT_ISSUED' && event.eventType !== 'INTENT_DENIED') {
        if (!refused.delete(endedBy(event)))
          applyToHistory(history, event.eventType, event.data, Date.parse(event.createdAt));
        return;
      }
      if (typeof event.data.maxAmount !== 'number' || typeof event.data.currency !== 'string') return;
      const at = Date.parse(event.createdAt);
      const request = requestOf(event.data, isRegistered);
      const was = recordedDecision(event.eventType, event.data);
      const use = history.factsFor(request, at);
      const facts = { ...partiesFrom(was.reasonCodes), policy, use, confirmed: wasConfirmed(event.data) };
      const decision = withReasons(decideIntent(request, facts, at), mandateReasons(event.data));
      if (decision.allowed) history.reserve(String(event.data.mandateId), request, request.amountMinor, at);
      else if (was.allowed) refused.add(String(event.data.mandateId));
      const input = checkInput(policy, request, use, at);
      tally.ask(input, request);
      if (at < since) return;
      tally.judge(input, decision);
      const would = shown(decision);
      totals.requests += 1;
      if (was.allowed) totals.wereAllowed += 1;
      if (would.allowed) totals.wouldBeAllowed += 1;
      if (would.hpRequired) totals.wouldNeedPresence += 1;
      addMoney(money, request, was.allowed, would.allowed);
      if (was.allowed === would.allowed && was.hpRequired === would.hpRequired) return;
      const flip = {
        seq: event.seq,
        createdAt: event.createdAt,
        transactionId: String(event.data.transactionId),
        agentDid: request.agentDid,
        amount: Number(event.data.maxAmount),
        currency: request.currency,
        merchantDomain: request.merchantDomain,
        was,
        would,
        details: decision.allowed ? undefined : decision.details,
      };
      onFlip(compact(flip), () => traceOf(evaluate(policy, request, use, at)));
    },
    totals: () => ({ ...totals, money: shownMoney(money) }),
    limits: tally.result,
  };
}

type Money = Map<string, { was: number; would: number }>;

function addMoney(money: Money, { currency, amountMinor }: ReturnType<typeof requestOf>, was: boolean, would: boolean) {
  const sums = money.get(currency) ?? { was: 0, would: 0 };
  money.set(currency, sums);
  const most = Number.MAX_SAFE_INTEGER;
  if (was) sums.was = Math.min(sums.was + amountMinor, most);
  if (would) sums.would = Math.min(sums.would + amountMinor, most);
}

function shownMoney(money: Money): Totals['money'] {
  return [...money]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, { was, would }]) => ({
      currency,
      wasAllowed: fromMinor(was, currency),
      wouldBeAllowed: fromMinor(would, currency),
    }));
}

/** A flip whose trace is told when it is asked for: that costs another judgement. */
interface FlipRecord {
  readonly flip: Flip;
  traced(): TracedFlip;
}

/** Keeps the newest of a replay's flips. @param most how many */
export function newestFlips(most: number): { take: Settings['onFlip']; newestFirst(): FlipRecord[]; count(): number } {
  let kept: FlipRecord[] = [];
  let count = 0;
  return {
    take(flip, trace) {
      count += 1;
      kept.push({ flip, traced: () => ({ ...flip, trace: trace() }) });
      if (kept.length >= 2 * most) kept = kept.slice(-most);
    },
    newestFirst: () => kept.slice(-most).reverse(),
    count: () => count,
  };
}

type Facts = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function requestOf(
  data: Facts,
  isRegistered: (principalDid: string) => boolean,
): HistoryQuery & {
  readonly amountMinor: number;
  readonly mcc: string | undefined;
  readonly country: string | undefined;
} {
  const currency = String(data.currency);
  const principalDid = textOf(data.principalDid);
  return {
    agentDid: String(data.agentDid),
    principalDid: principalDid !== undefined && isRegistered(principalDid) ? principalDid : undefined,
    currency,
    amountMinor: toMinor(Number(data.maxAmount), currency),
    merchantDomain: textOf(data.merchantDomain),
    mcc: textOf(data.mcc),
    country: textOf(data.country),
  };
}

/** Applies events other than requests: the outcome of an intent, and changes of agents' limits. */
function applyToHistory(history: History, eventType: string, data: Facts, at: number): void {
  const intentId = textOf(data.intentId) ?? textOf(data.mandateId) ?? '';
  switch (eventType) {
    case 'INTENT_EXPIRED':
      history.release(String(data.mandateId));
      break;
    case 'PM_ISSUED':
      history.settle(intentId, textOf(data.merchant), paidMinor(data), at);
      break;
    case 'PAYMENT_AUTHORIZED': {
      const asked = { agentDid: String(data.agentDid), currency: String(data.currency) };
      // It counts from when the rail has authorized it.
      history.settle(intentId, textOf(data.merchant), paidMinor(data), at);
      history.pay({ ...asked, merchantDomain: textOf(data.merchant) }, paidMinor(data));
      break;
    }
    case 'PAYMENT_FAILED':
    case 'PAYMENT_CANCELED':
      history.release(intentId);
      break;
    case 'AGENT_VELOCITY_UPDATED': {
      const velocity = VelocityLimit.safeParse(data.velocity);
      if (velocity.success) history.setVelocity(String(data.agentDid), velocity.data);
      break;
    }
    default:
  }
}

/** The intent that nothing else comes of than what this event tells; empty where more may come. */
function endedBy({ eventType, data }: ReplayedEvent): string {
  if (eventType === 'INTENT_EXPIRED') return String(data.mandateId);
  return eventType === 'PAYMENT_AUTHORIZED' || eventType === 'PAYMENT_FAILED' ? String(data.intentId) : '';
}

function paidMinor(data: Facts): number {
  return toMinor(Number(data.amount), String(data.currency));
}

function recordedDecision(eventType: string, data: Facts): ReplayedDecision {
  const allowed = eventType === 'INTENT_ISSUED';
  const reasonCodes = Array.isArray(data.reasonCodes) ? data.reasonCodes.map(String) : [];
  return { allowed, hpRequired: allowed && data.hpRequired === true, reasonCodes };
}

function shown(decision: IntentDecision): ReplayedDecision {
  return decision.allowed
    ? { allowed: true, hpRequired: decision.hpRequired, reasonCodes: [] }
    : { allowed: false, hpRequired: false, reasonCodes: decision.reasonCodes };
}

/** What the mandate that an intent names said against it, which no policy changes. */
function mandateReasons({ mandateReasonCodes: codes, details }: Facts): ReasonDetails {
  if (!Array.isArray(codes)) return {};
  const given = details as ReasonDetails | undefined;
  return Object.fromEntries(codes.map((code: ReasonCode) => [code, given?.[code] ?? { message: code }]));
}

/** What the agent might do at the request, from the recorded refusal: a draft policy does not change it. */
function partiesFrom(reasonCodes: readonly string[]) {
  const suspended = reasonCodes.includes('AGENT_SUSPENDED') ? 'SUSPENDED' : 'ACTIVE';
  const agentStatus: AgentStatus = reasonCodes.includes('AGENT_REVOKED') ? 'REVOKED' : suspended;
  return { agentStatus, principal: { name: undefined, delegated: !reasonCodes.includes('AGENT_NOT_DELEGATED') } };
}
