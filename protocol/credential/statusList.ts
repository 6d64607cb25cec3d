/**
 * Status lists (W3C Bitstring Status List 1.0): for many credentials one bit each, which says that one no longer holds. A list is a
 * credential itself, so that it can be carried to a reader who is offline.
 */
import { z } from 'zod';
import { anyObject } from '../wire/json.ts';
import { datedBack } from '../wire/time.ts';
import { checkIntegrity, VCDM_CONTEXT } from './dataIntegrity.ts';
import { canonicalDid } from './did.ts';
import type { Suite } from './ed25519.ts';
import { fromBase64url, toBase64url } from './encodings.ts';
import { checkJwt } from './vcJwt.ts';

/** The least that the standard allows: readers learn little from who asks for which list. */
export const STATUS_PLACES = 131_072;
/** Where a node serves its lists, below its public address. */
export const STATUS_PATH = '/ap2/status';
/** How long a list may be taken for fresh, in seconds. */
export const STATUS_FRESH_SECONDS = 60;
/** How long a list says it holds, in seconds. */
const STATUS_HOLDS_SECONDS = 24 * 3600;

/** The member of a credential that names its place in a list. */
export const CredentialStatus = z.looseObject({
  id: z.string().max(1024).optional(),
  type: z.literal('BitstringStatusListEntry'),
  statusPurpose: z.literal('revocation'),
  statusListIndex: z.string().regex(/^(0|[1-9][0-9]{0,8})$/),
  statusListCredential: z.string().max(1024),
});
export type CredentialStatus = z.infer<typeof CredentialStatus>;

/** @param baseUrl of the node, without a trailing slash @param list counted from 1 @param index below STATUS_PLACES */
export function credentialStatus(baseUrl: string, list: number, index: number): CredentialStatus {
  const address = `${baseUrl}${STATUS_PATH}/${list}`;
  return {
    id: `${address}#${index}`,
    type: 'BitstringStatusListEntry',
    statusPurpose: 'revocation',
    statusListIndex: String(index),
    statusListCredential: address,
  };
}

/**
 * The bitstring of a list; the first place is the highest bit of the first byte.
 * @param words 32 places each, by their position; those that are not given have no bit set
 */
export function bitstringOf(words: readonly { readonly word: number; readonly bits: number }[]): Uint8Array {
  const bitstring = new Uint8Array(STATUS_PLACES / 8);
  const view = new DataView(bitstring.buffer);
  for (const { word, bits } of words) view.setUint32(4 * word, bits);
  return bitstring;
}

const Moment = z.iso.datetime({ offset: true });

/** A list, before it is secured. */
export const StatusListDocument = z.looseObject({
  '@context': z.array(z.string()).refine((contexts) => contexts[0] === VCDM_CONTEXT, `must begin with ${VCDM_CONTEXT}`),
  id: z.string().max(1024),
  type: z.array(z.string()).refine((types) => types.includes('BitstringStatusListCredential'), 'is no status list'),
  issuer: z.string().max(512),
  validFrom: Moment,
  validUntil: Moment.optional(),
  credentialSubject: z.looseObject({
    type: z.literal('BitstringStatusList'),
    statusPurpose: z.string(),
    encodedList: z.string().regex(/^u[A-Za-z0-9_-]+$/, 'must be "u" and base64url'),
  }),
});
export type StatusListDocument = z.infer<typeof StatusListDocument>;

/**
 * @param address of the list @param issuer the DID that signs it @param compressed its bitstring by gzip
 * @param builtAt milliseconds since the epoch
 */
export function statusListDocument(
  address: string,
  issuer: string,
  compressed: Uint8Array,
  builtAt: number,
): StatusListDocument {
  const at = (milliseconds: number) => new Date(milliseconds).toISOString();
  return {
    '@context': [VCDM_CONTEXT],
    id: address,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer,
    validFrom: at(datedBack(builtAt)),
    validUntil: at(builtAt + STATUS_HOLDS_SECONDS * 1000),
    credentialSubject: {
      id: `${address}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      encodedList: `u${toBase64url(compressed)}`,
      ttl: STATUS_FRESH_SECONDS * 1000,
    },
  };
}

interface StatusExpectation {
  /** The DID that issued the credential; its list is by the same. */
  readonly issuer: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How old the list may be. */
  readonly maxAgeSeconds: number;
  /** Undoes gzip. @returns undefined for what is no gzip, or longer than `most` bytes */
  readonly gunzip: (compressed: Uint8Array, most: number) => Uint8Array | undefined;
}

type StatusCheck =
  /** Whether the credential no longer holds. */
  { readonly ok: true; readonly revoked: boolean } | { readonly ok: false; readonly reason: string };

/** How far the issuer's clock may run ahead. */
const SKEW_MS = 60_000;
/** A list of other nodes may be longer than one of this program. */
const MOST_BYTES = 1_048_576;

/**
 * Checks a credential against a list that was brought or fetched: the list is its own, by its issuer, and fresh.
 * @param list as a document with a proof of eddsa-jcs-2022, or as a token
 * @returns whether the credential was revoked, or one sentence naming the check that failed
 */
export function checkStatus(
  suite: Suite,
  status: unknown,
  list: unknown,
  { issuer, now, maxAgeSeconds, gunzip }: StatusExpectation,
): StatusCheck {
  const entry = CredentialStatus.safeParse(status);
  if (!entry.success) return fail('The credential names no place in a status list for revocation.');
  const read = readList(suite, list);
  if ('reason' in read) return fail(read.reason);
  const { id, validFrom, validUntil, credentialSubject, issuer: by } = read.document;
  if (id !== entry.data.statusListCredential) return fail(`The list is ${id} and not the credential's.`);
  if (canonicalDid(by) !== issuer) return fail(`The list is by ${by} and not by the credential's issuer.`);
  if (credentialSubject.statusPurpose !== entry.data.statusPurpose) return fail('The list has another purpose.');
  const age = now - Date.parse(validFrom);
  if (age < -SKEW_MS) return fail("The list's validFrom lies in the future.");
  // Not the other way round: an age that is no number would bound nothing.
  if (!(age <= maxAgeSeconds * 1000))
    return fail(`The list is of ${validFrom}, which is more than ${maxAgeSeconds} s ago.`);
  if (validUntil !== undefined && Date.parse(validUntil) <= now) return fail(`The list held until ${validUntil}.`);
  const compressed = fromBase64url(credentialSubject.encodedList.slice(1));
  const bits = compressed && gunzip(compressed, MOST_BYTES);
  const index = Number(entry.data.statusListIndex);
  const byte = bits?.[index >> 3];
  if (byte === undefined) return fail(`The list has no place ${index}.`);
  return { ok: true, revoked: (byte & (0x80 >> (index & 7))) !== 0 };
}

function readList(
  suite: Suite,
  list: unknown,
): { readonly document: StatusListDocument } | { readonly reason: string } {
  const token = typeof list === 'string' ? checkJwt(suite, list) : undefined;
  if (token?.ok === false) return { reason: `The status list does not hold: ${token.reason}` };
  const parsed = StatusListDocument.safeParse(token?.document ?? anyObject().safeParse(list).data);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { reason: `The status list is malformed at "${issue?.path.join('.')}": ${issue?.message}.` };
  }
  if (token !== undefined) return { document: parsed.data };
  const check = checkIntegrity(suite, parsed.data, parsed.data.issuer);
  return check.ok ? { document: parsed.data } : { reason: `The status list does not hold: ${check.reason}` };
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
