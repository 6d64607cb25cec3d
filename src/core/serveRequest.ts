/**
 * One request of a gate in the core: its reply, who called, and how many calls are left. Callers are charged here and nowhere
 * else, so that limits hold however many gates there are.
 */
import { Fault, type FaultCode, type FaultDetail } from '../../protocol/wire/fault.ts';
import type { Caller } from '../access/caller.ts';
import { isThisMachine } from '../access/clientAddress.ts';
import type { RateLimiter, Verdict } from '../access/rateLimit.ts';
import type { ByteStream } from '../usecase/byteStream.ts';
import type { Deps } from '../usecase/deps.ts';
import type { RequestKey } from '../usecase/idempotency.ts';

export type ReplyBody = string | ByteStream;

/** What the steps of a request come to. */
export interface StepsResult {
  /** Absent where the input is wrong: in what way, the gate knows. */
  readonly body?: ReplyBody;
  /** True where the body was given before, to the same idempotency key. */
  readonly isReplay?: boolean;
}

export interface CoreReply extends StepsResult {
  /** Of the bucket that was charged: the caller's, or its address's as long as the caller is not known. */
  readonly verdict: Verdict;
  /** Who called, once that was known. */
  readonly caller?: Pick<Caller, 'kind' | 'id'>;
  /** Why the request was refused. */
  readonly error?: SerializedError;
}

/** The input of a request as its gate parsed it; absent where it is wrong, which a caller who may not call is not told. */
export interface ParsedInput {
  readonly input?: { readonly value: unknown } | undefined;
}

/** A gate's try to parse an input. Where it failed, the core says first whether the caller may learn why. */
export interface ParseResult extends ParsedInput {
  /** What is wrong with the input. */
  readonly fault?: unknown;
}

export function tryParse(parse: () => unknown): ParseResult {
  try {
    return { input: { value: parse() } };
  } catch (fault) {
    return { fault };
  }
}

/** @param body of the core's reply; undefined where only the input is wrong @throws what is wrong with it */
export function requireBody({ fault }: ParseResult, body: ReplyBody | undefined): ReplyBody {
  if (body === undefined) throw fault;
  return body;
}

/** @returns the body of the core's reply @throws what the core threw */
export function bodyOf({ body, error }: CoreReply): ReplyBody | undefined {
  if (error !== undefined) throw deserializeError(error);
  return body;
}

/** What another request under the same idempotency key is told. */
export const KEY_REUSED: RequestKey['reused'] = {
  code: 'CONFLICT',
  message: 'This idempotency key was used for another request; use a new key for a new request.',
};

/**
 * Runs the steps of a request. One that is refused before its caller is charged charges its address.
 * @param address as the rate limiter names it
 */
export async function serveRequest(
  deps: Limits,
  address: string,
  run: (quota: RequestQuota) => Promise<StepsResult>,
): Promise<CoreReply> {
  const quota = new RequestQuota(deps, address);
  let result: StepsResult | { readonly error: SerializedError };
  try {
    result = await run(quota);
  } catch (error) {
    result = { error: serializeError(quota.chargeFailure(error)) };
  }
  const { verdict, caller } = quota;
  return { verdict, ...(caller === undefined ? {} : { caller: { kind: caller.kind, id: caller.id } }), ...result };
}

type Limits = Pick<Deps, 'access' | 'clock'>;

/**
 * Who pays for one request: its address while the caller is `unknown`, and also where it is `known` and the request fails before
 * the caller is charged; once it is `settled`, a failure costs nothing more.
 */
export class RequestQuota {
  readonly #deps: Limits;
  readonly #address: string;
  #state: 'unknown' | 'known' | 'settled' = 'unknown';
  #caller: Caller | undefined;
  #verdict: Verdict | undefined;

  constructor(deps: Limits, address: string) {
    this.#deps = deps;
    this.#address = address;
  }

  get caller(): Caller | undefined {
    return this.#caller;
  }

  /** Where the one who paid stands; the address, where no one did. */
  get verdict(): Verdict {
    return this.#verdict ?? peekAddress(this.#deps, this.#address);
  }

  know(caller: Caller): void {
    this.#caller = caller;
    if (this.#state === 'unknown') this.#state = 'known';
  }

  /** Charges the caller, once it is known. @throws Fault RATE_LIMITED */
  charge(): void {
    this.#judgeCaller('charge');
  }

  /** Charges no caller. @throws Fault RATE_LIMITED where the caller has no calls left */
  requireCalls(): void {
    this.#judgeCaller('peek');
  }

  /** Charges the address: for a replay, whose caller was charged before. @throws Fault RATE_LIMITED */
  chargeAddress(): void {
    this.#judge('charge', this.#address);
  }

  /** Notes that the caller was charged before, for what this request belongs to. */
  settle(): void {
    this.#state = 'settled';
  }

  /** Charges the address for a failure, where none has paid so far. @returns that there were too many calls, or else the failure */
  chargeFailure(error: unknown): unknown {
    if (this.#state === 'settled') return error;
    try {
      this.chargeAddress();
      return error;
    } catch (tooManyCalls) {
      return tooManyCalls;
    }
  }

  #judgeCaller(by: 'charge' | 'peek'): void {
    const caller = this.#caller;
    if (caller !== undefined) this.#judge(by, `${caller.kind} ${caller.id}`, caller.tier);
  }

  #judge(by: 'charge' | 'peek', subject: string, tier: Caller['tier'] = 'free'): void {
    this.#state = 'settled';
    this.#verdict = limitsFor(this.#deps, this.#address)[by](subject, tier, this.#deps.clock());
    if (!this.#verdict.allowed) throw tooMany(this.#verdict);
  }
}

/**
 * Charges a call that goes by no credential.
 * @param address where it came from
 * @param calls how many it counts as, 1 when not given
 * @param subject what is charged, where that is not the address
 */
export async function chargeAddress(
  deps: Limits,
  address: string,
  calls?: number,
  subject: string = address,
): Promise<CoreReply> {
  const verdict = limitsFor(deps, address).charge(subject, 'free', deps.clock(), calls);
  return verdict.allowed ? { verdict, body: '' } : { verdict, error: serializeError(tooMany(verdict)) };
}

/** Where an address stands, without a charge. */
export function peekAddress(deps: Limits, address: string): Verdict {
  return limitsFor(deps, address).peek(address, 'free', deps.clock());
}

function limitsFor({ access: { limits, localLimits } }: Limits, address: string): RateLimiter {
  return isThisMachine(address) ? localLimits : limits;
}

function tooMany({ retryAfterSeconds }: Verdict): Fault {
  return new Fault('RATE_LIMITED', `Too many requests; try again in ${retryAfterSeconds} s.`);
}

/** An error as data, which reaches another thread and is thrown there again. */
export type SerializedError =
  | { readonly kind: 'fault'; readonly code: FaultCode; readonly message: string; readonly details?: FaultDetail[] }
  /** Anything else, for the log. */
  | {
      readonly kind: 'error';
      readonly message: string;
      readonly stack?: string | undefined;
      /** What else the error says, such as the code and the port of one of the system. */
      readonly facts?: object;
    };

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);

export function serializeError(error: unknown): SerializedError {
  if (error instanceof Fault) {
    const { code, message, details } = error;
    return { kind: 'fault', code, message, ...(details === undefined ? {} : { details: [...details] }) };
  }
  if (!(error instanceof Error)) return { kind: 'error', message: String(error) };
  const { message, stack } = error;
  const facts = Object.fromEntries(Object.entries(error).filter(([, fact]) => PLAIN.has(typeof fact)));
  return { kind: 'error', message, stack, facts };
}

export function deserializeError(serialized: SerializedError): Error {
  if (serialized.kind === 'fault') return new Fault(serialized.code, serialized.message, serialized.details);
  const { message, stack, facts } = serialized;
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, facts);
}
