/** The profiles by which merchants know agents: Web Bot Auth, and Visa's Trusted Agent Protocol. */
import { toBase64 } from '../credential/encodings.ts';
import type { SignatureAgentForm } from '../merchant.ts';
import { type Component, signatureBase, signatureParams, stringItem } from './signatureBase.ts';

export const SIGNATURE_PROFILES = ['web-bot-auth', 'tap'] as const;
type SignatureProfile = (typeof SIGNATURE_PROFILES)[number];

/** Between `created` and `expires`: what the Trusted Agent Protocol allows. */
export const LONGEST_SECONDS = 480;
/** `created` is dated back by so many: verifiers take no signature of a moment that they have not reached. */
export const DATED_BACK_SECONDS = 2;

/** A request that is about to be sent. */
interface UnsignedRequest {
  readonly method: string;
  readonly url: string;
  /** The value of Content-Digest (RFC 9530). */
  readonly contentDigest: string | undefined;
}

interface SignatureTerms {
  readonly profile: SignatureProfile;
  readonly form: SignatureAgentForm;
  /** Where the key is published: an origin. */
  readonly signatureAgent: string;
  /** Whether the request is of a purchase that is paid, in contrast to one that is looked for. */
  readonly isPaid: boolean;
  /** The key's thumbprint (RFC 7638). */
  readonly keyid: string;
  readonly nonce: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly expires: number;
}

/** What is to be signed, and what is sent with the signature. */
interface SignatureDraft {
  readonly label: string;
  readonly base: string;
  /** All but `Signature`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** By this label verifiers of each profile look for it; there is never a second one beside it. */
const LABELS = { 'web-bot-auth': 'sig1', tap: 'sig2' } as const satisfies Record<SignatureProfile, string>;

/** @throws RangeError for what no header could hold */
export function draftSignature(request: UnsignedRequest, terms: SignatureTerms): SignatureDraft {
  const { method, url, contentDigest } = request;
  const label = LABELS[terms.profile];
  const agent = stringItem(terms.signatureAgent);
  const isDictionary = terms.form === 'dictionary';
  const fields = {
    'signature-agent': isDictionary ? { [label]: agent } : agent,
    ...(contentDigest === undefined ? {} : { 'content-digest': contentDigest }),
  };
  const components = terms.profile === 'tap' ? TAP : botComponents(request, isDictionary ? label : undefined);
  const params = signatureParams(components, [
    ['created', terms.created],
    ['expires', terms.expires],
    ['keyid', terms.keyid],
    ['alg', 'ed25519'],
    ['nonce', terms.nonce],
    ['tag', tagOf(terms)],
  ]);
  const headers = {
    ...(terms.profile === 'tap' ? {} : { 'Signature-Agent': isDictionary ? `${label}=${agent}` : agent }),
    ...(contentDigest === undefined ? {} : { 'Content-Digest': contentDigest }),
    'Signature-Input': `${label}=${params}`,
  };
  return { label, base: signatureBase({ method, url, fields }, components, params), headers };
}

/** The value of `Signature`. */
export function signatureField(label: string, signature: Uint8Array): string {
  return `${label}=:${toBase64(signature)}:`;
}

/** All that it covers: a query is not among it. */
const TAP: readonly Component[] = [{ name: '@authority' }, { name: '@path' }];

/**
 * More than the profile asks for, so that the signature serves no other request. Verifiers that want the dictionary read neither method
 * nor query; and of a request without a query RFC 9421 signs `?`, others nothing.
 */
function botComponents({ url, contentDigest }: UnsignedRequest, key: string | undefined): readonly Component[] {
  if (key === undefined) {
    const { search } = new URL(url);
    return [
      { name: '@method' },
      { name: '@authority' },
      { name: '@path' },
      ...(search === '' ? [] : [{ name: '@query' }]),
      ...digestOf(contentDigest),
      { name: 'signature-agent' },
    ];
  }
  return [{ name: '@authority' }, { name: '@path' }, ...digestOf(contentDigest), { name: 'signature-agent', key }];
}

function digestOf(contentDigest: string | undefined): readonly Component[] {
  return contentDigest === undefined ? [] : [{ name: 'content-digest' }];
}

function tagOf({ profile, isPaid }: SignatureTerms): string {
  if (profile === 'web-bot-auth') return 'web-bot-auth';
  return isPaid ? 'agent-payer-auth' : 'agent-browser-auth';
}
