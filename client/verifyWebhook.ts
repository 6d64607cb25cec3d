/** A receiver's part: it checks that a webhook is from the node, before anything is done about it. */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { fromBase64 } from '../protocol/credential/encodings.ts';
import { CountersignError } from './error.ts';
import type { WebhookEvent } from './operations.ts';

type HeaderValues = Readonly<Record<string, string | readonly string[] | undefined>>;

interface WebhookDelivery {
  /** As they came, in any case: Headers, or what a server of Node has in `request.headers`. */
  readonly headers: Headers | HeaderValues;
  /** What arrived, before any parsing. */
  readonly body: string | Uint8Array;
  readonly now?: Date;
  /** How far its time may be from this machine's; 300 by default. */
  readonly toleranceSeconds?: number;
}

/** The least that a node takes. A setting that is missing is a shorter one, by which everyone could sign. */
const LEAST_SECRET = 8;

const utf8 = new TextEncoder();

/**
 * The event of a webhook, once its signature holds (Standard Webhooks 1.0).
 * @param secret the subscription's, `whsec_…`; several while one replaces the other
 * @throws CountersignError INVALID_WEBHOOK, which a server answers with the status 401
 */
export function verifyWebhook(
  secret: string | readonly string[],
  { headers, body, now = new Date(), toleranceSeconds = 300 }: WebhookDelivery,
): WebhookEvent {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  ) as [string, string, string];
  if (!/^\d{1,15}$/.test(timestamp)) throw unsigned('it has no time');
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw unsigned(`its time is more than ${toleranceSeconds} seconds from this machine’s`);
  }
  const bytes = typeof body === 'string' ? utf8.encode(body) : body;
  const content = concatBytes(utf8.encode(`${id}.${timestamp}.`), bytes);
  const given = signatures.split(' ').map((each) => (each.startsWith('v1,') ? fromBase64(each.slice(3)) : undefined));
  const secrets = (typeof secret === 'string' ? [secret] : secret).filter(({ length }) => length >= LEAST_SECRET);
  const isSigned = secrets.some((each) => {
    const expected = hmac(sha256, keyOf(each), content);
    return given.some((mac) => mac !== undefined && isSame(expected, mac));
  });
  if (!isSigned) throw unsigned('no signature of it is by this secret');
  return eventIn(bytes);
}

function headerOf(headers: Headers | HeaderValues, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1] ?? '';
  return typeof value === 'string' ? value : value.join(' ');
}

/** The decoded base64 after `whsec_`, or the bytes of a secret that has no such form. */
function keyOf(secret: string): Uint8Array {
  const key = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : undefined;
  return key === undefined || key.length === 0 ? utf8.encode(secret) : key;
}

/** In a time that does not tell how much of it is right. */
function isSame(expected: Uint8Array, given: Uint8Array): boolean {
  let differences = expected.length ^ given.length;
  for (const [at, byte] of expected.entries()) differences |= byte ^ (given[at] ?? 0);
  return differences === 0;
}

function eventIn(body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw unsigned('it is not JSON');
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event)) throw unsigned('it is no event');
  return event as WebhookEvent;
}

function unsigned(reason: string): CountersignError {
  return new CountersignError('INVALID_WEBHOOK', `The webhook does not hold: ${reason}.`, { status: 0 });
}
