/**
 * Challenges of the "Payment" HTTP authentication scheme (MPP: draft-httpauth-payment-00, section 5.1) as an agent received them:
 * which of them can be answered, and why not the others.
 */
import { fromBase64url } from '../credential/encodings.ts';
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { Fault } from '../wire/fault.ts';
import { decodeUtf8, parseJson } from '../wire/json.ts';
import { type AuthChallenge, parseAuthChallenges } from './authChallenges.ts';

/** Bytes of all that is received, characters of one request, and of a name that is kept as a key. */
export const CHALLENGE_BOUNDS = { bytes: 32_768, requestCharacters: 16_384, nameCharacters: 255 } as const;

/** A challenge that can be answered. */
export interface PaymentChallenge {
  /**
   * Every parameter as received, those that are not known too: the answer repeats them, since the server has signed their texts.
   * From a header all are text; in an object (MCP) `request` is mostly an object.
   */
  readonly received: JsonObject;
  readonly id: string;
  /** What the server calls itself. It says nothing about who is paid. */
  readonly realm: string;
  /** How it can be paid, `stripe`, and what for, `charge`. */
  readonly method: string;
  readonly intent: string;
  /** What `request` says. */
  readonly request: JsonObject;
  /** Milliseconds since the epoch; undefined where it does not say. */
  readonly expiresAt: number | undefined;
  /** Of the body of the request that is paid for, `sha-256=…`. */
  readonly digest: string | undefined;
  /** The merchant’s words for a person: unsigned, and not checked. */
  readonly description: string | undefined;
  /** The header that takes the answer. */
  readonly headerName: HeaderName;
}

/** The second is no part of the draft: mppx asks for it where a request also needs an Authorization of another kind. */
const HEADER_NAMES = ['Authorization', 'Payment-Authorization'] as const;
type HeaderName = (typeof HEADER_NAMES)[number];

interface UnusableChallenge {
  /** `stripe/charge`; `Payment` where it does not say. */
  readonly offer: string;
  /** The end of a sentence that begins with the challenge: `has no realm`. */
  readonly reason: string;
}

export interface ChallengeList {
  /** In the order received. */
  readonly usable: readonly PaymentChallenge[];
  readonly unusable: readonly UnusableChallenge[];
  /** What each challenge of the Payment scheme asks for, `stripe/charge`, once, in the order received. Empty: nothing is offered. */
  readonly offered: readonly string[];
  /** Names of other schemes that stood beside, such as Bearer. */
  readonly otherSchemes: readonly string[];
}

/**
 * @param received values of WWW-Authenticate, merged or not, also with other schemes in them; or challenges as objects, as MCP and
 * mppx have them
 * @throws Fault BAD_REQUEST where all of it has more than 32768 bytes
 */
export function readChallenges(received: readonly (string | object)[]): ChallengeList {
  refuseSize(received);
  const usable: PaymentChallenge[] = [];
  const unusable: UnusableChallenge[] = [];
  const offered = new Set<string>();
  const otherSchemes = new Set<string>();
  const add = (parameters: JsonObject, problem?: string | undefined) => {
    const offer = offerOf(parameters);
    offered.add(offer);
    const read = problem ?? readOne(parameters);
    if (typeof read === 'string') unusable.push({ offer, reason: read });
    else usable.push(read);
  };
  for (const each of received) {
    if (typeof each !== 'string') {
      add(isObject(each) ? each : {}, isObject(each) ? undefined : 'is no object');
      continue;
    }
    for (const challenge of parseAuthChallenges(each)) {
      if (isPayment(challenge)) add(Object.fromEntries(challenge.parameters), challenge.problem);
      else otherSchemes.add(challenge.scheme);
    }
  }
  return { usable, unusable, offered: [...offered], otherSchemes: [...otherSchemes] };
}

/** A line that cannot be taken apart counts as a challenge that cannot be used, not as another scheme. */
function isPayment({ scheme, problem }: AuthChallenge): boolean {
  return scheme.toLowerCase() === 'payment' || (scheme === '' && problem !== undefined);
}

function refuseSize(received: readonly (string | object)[]): void {
  const utf8 = new TextEncoder();
  const bytes = received.reduce((sum: number, each) => sum + utf8.encode(textOf(each)).length, 0);
  if (bytes <= CHALLENGE_BOUNDS.bytes) return;
  const message = `have ${bytes} bytes; they may have at most ${CHALLENGE_BOUNDS.bytes}`;
  throw new Fault('BAD_REQUEST', `The challenges ${message}.`, [{ path: 'challenges', message }]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function offerOf({ method, intent }: JsonObject): string {
  return isName(method) && isName(intent) ? `${method}/${intent}` : 'Payment';
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= CHALLENGE_BOUNDS.nameCharacters;
}

const NAMES = ['id', 'realm', 'method', 'intent'] as const;
const TEXTS = ['expires', 'digest', 'description', 'header'] as const;

/** @returns the challenge, or why it cannot be used */
function readOne(received: JsonObject): PaymentChallenge | string {
  for (const name of NAMES) {
    if (received[name] === undefined || received[name] === '') return `has no ${name}`;
    if (!isName(received[name]))
      return `has an ${name} that is no text of ${CHALLENGE_BOUNDS.nameCharacters} characters`;
  }
  for (const name of TEXTS) {
    if (received[name] !== undefined && typeof received[name] !== 'string') return `has ${name}, which is no text`;
  }
  if (Object.hasOwn(received, '__proto__')) return 'names a parameter __proto__';
  const { id, realm, method, intent, expires, digest, description, header } = received as Record<string, string>;
  if (!/^[a-z][a-z0-9:_-]*$/.test(method as string)) return 'names a method that is not in lower case';
  const request = requestOf(received['request']);
  if (typeof request === 'string') return request;
  const expiresAt = expires === undefined ? undefined : instantOf(expires);
  if (Number.isNaN(expiresAt)) return 'says when it expires, but not as a date and a time with their zone';
  const headerName = HEADER_NAMES.find((name) => name.toLowerCase() === (header ?? HEADER_NAMES[0]).toLowerCase());
  if (headerName === undefined) return `asks for its answer in a header other than ${HEADER_NAMES.join(' and ')}`;
  const names = { id, realm, method, intent } as Record<(typeof NAMES)[number], string>;
  return { received, ...names, request, expiresAt, digest, description, headerName };
}

/** RFC 3339, as mppx reads it: in capitals, and with the zone. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** @returns milliseconds since the epoch; NaN for a text that names no moment */
function instantOf(text: string): number {
  return INSTANT.test(text) ? Date.parse(text) : Number.NaN;
}

/** @returns what a request says, or why it says nothing */
function requestOf(request: unknown): JsonObject | string {
  if (request === undefined || request === '') return 'has no request';
  if (textOf(request).length > CHALLENGE_BOUNDS.requestCharacters) {
    return `has a request of more than ${CHALLENGE_BOUNDS.requestCharacters} characters`;
  }
  const value = typeof request === 'string' ? encodedObject(request) : request;
  return isObject(value) ? value : 'has a request that is no JSON object in base64url';
}

/** A JSON object in base64url. The draft has no padding; mppx takes one, and so does this node. @returns undefined for all else */
export function encodedObject(text: string): JsonObject | undefined {
  const bytes = fromBase64url(text.replace(/={1,2}$/, ''));
  if (bytes === undefined) return undefined;
  try {
    const value = parseJson(decodeUtf8(bytes));
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
