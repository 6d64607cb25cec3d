/**
 * A request that the core has taken from a gate: its answer, or why it has none; who called; and how many calls are left.
 * Callers are charged here and nowhere else, so that limits hold however many gates there are.
 */
import { Fault } from '../../protocol/wire/fault.ts';
import type { Caller } from '../access/caller.ts';
import { isThisMachine } from '../access/clientAddress.ts';
import type { RateLimiter, Verdict } from '../access/rateLimit.ts';
import type { Deps } from '../usecase/deps.ts';
import type { RequestKey } from '../usecase/idempotency.ts';
import type { Streamed } from '../usecase/streamed.ts';
import { revived, type Thrown, thrownOf } from './thrown.ts';

export type Text = string | Streamed;

export interface Taken {
  /** Of the bucket that was charged: the caller's, or its address's as long as the caller is not known. */
  readonly verdict: Verdict;
  /** Who called, once that was known. */
  readonly caller?: Pick<Caller, 'kind' | 'id'>;
  /** Absent where the request was refused, and where its input is wrong: in what way, the gate knows. */
  readonly answer?: Text;
  /** True where the answer was given before, to the same idempotency key. */
  readonly isReplay?: true;
  readonly thrown?: Thrown;
}

/** The input of a request as its gate parsed it; absent where it is wrong, which a caller who may not call is not told. */
export interface Given {
  readonly input?: { readonly value: unknown } | undefined;
}

/** What another request under the same idempotency key is told. */
export const KEY_REUSED: RequestKey['reused'] = {
  code: 'CONFLICT',
  message: 'This idempotency key was used for another request; use a new key for a new request.',
};

type Limits = Pick<Deps, 'access' | 'clock'>;

/** What is known of a request's caller so far. */
export interface Standing {
  know(caller: Caller): void;
  /** Charges the caller. @throws Fault RATE_LIMITED */
  charge(): void;
  /** Charges the address: for a replay, whose caller was charged before. @throws Fault RATE_LIMITED */
  chargeAddress(): void;
  /** Notes that the caller was charged before, for what this request belongs to. */
  noteCharged(): void;
  /** Notes that the answer was given before. */
  noteReplay(): void;
  /** Charges no caller. @throws Fault RATE_LIMITED where the caller has no calls left */
  requireCalls(): void;
}

/**
 * Runs what a request asks for. One that is refused before its caller is charged charges its address.
 * @param address as the rate limiter names it
 * @param run gives the answer, or undefined where the input is wrong
 */
export async function take(
  deps: Limits,
  address: string,
  run: (standing: Standing) => Promise<Text | undefined>,
): Promise<Taken> {
  let caller: Caller | undefined;
  let verdict: Verdict | undefined;
  let isCharged = false;
  let isReplay = false;
  const judge = (by: 'charge' | 'peek', subject: string, tier: Caller['tier'] = 'free') => {
    verdict = limitsFor(deps, address)[by](subject, tier, deps.clock());
    if (!verdict.allowed) throw tooMany(verdict);
  };
  const judgeCaller = (by: 'charge' | 'peek') => {
    if (caller !== undefined) judge(by, `${caller.kind} ${caller.id}`, caller.tier);
  };
  const standing: Standing = {
    know(found) {
      caller = found;
    },
    charge: () => judgeCaller('charge'),
    chargeAddress: () => judge('charge', address),
    noteCharged() {
      isCharged = true;
    },
    noteReplay() {
      isReplay = true;
    },
    requireCalls: () => judgeCaller('peek'),
  };
  const attempt = async (): Promise<Pick<Taken, 'answer' | 'isReplay' | 'thrown'>> => {
    try {
      const answer = await run(standing);
      return answer === undefined ? {} : { answer, ...(isReplay && { isReplay }) };
    } catch (error) {
      return {
        thrown: thrownOf(
          isCharged || verdict !== undefined ? error : chargedFor(() => judge('charge', address), error),
        ),
      };
    }
  };
  const outcome = await attempt();
  verdict ??= peekAddress(deps, address);
  return { verdict, ...(caller === undefined ? {} : { caller: { kind: caller.kind, id: caller.id } }), ...outcome };
}

/**
 * Charges a call that goes by no credential to its address.
 * @param calls how many it counts as, 1 when not given
 */
export function chargeAddress(deps: Limits, address: string, calls?: number): Promise<Taken> {
  return chargeSubject(deps, address, address, calls);
}

/** @param subject whom the call is charged to @param address where it came from */
export async function chargeSubject(deps: Limits, address: string, subject: string, calls?: number): Promise<Taken> {
  const verdict = limitsFor(deps, address).charge(subject, 'free', deps.clock(), calls);
  return verdict.allowed ? { verdict, answer: '' } : { verdict, thrown: thrownOf(tooMany(verdict)) };
}

/** Where an address stands, without a charge. */
export function peekAddress(deps: Limits, address: string): Verdict {
  return limitsFor(deps, address).peek(address, 'free', deps.clock());
}

function limitsFor({ access: { limits, localLimits } }: Limits, address: string): RateLimiter {
  return isThisMachine(address) ? localLimits : limits;
}

/** @returns the answer @throws what the core threw */
export function answerOf({ answer, thrown }: Taken): Text | undefined {
  if (thrown !== undefined) throw revived(thrown);
  return answer;
}

/** What is told once a charge was tried: that there were too many, or else the reason for the charge. */
function chargedFor(charge: () => void, error: unknown): unknown {
  try {
    charge();
    return error;
  } catch (tooMany) {
    return tooMany;
  }
}

function tooMany({ retryAfterSeconds }: Verdict): Fault {
  return new Fault('RATE_LIMITED', `Too many requests; try again in ${retryAfterSeconds} s.`);
}
