/**
 * How a purchase was approved, as far as its portable bundle shows it: a touch is shown by what the passkey itself signed
 * (W3C Web Authentication section 7.2), and not by what the node says of it.
 */
import { z } from 'zod';
import { isSignedByJwk } from '../ap2/jwkSignature.ts';
import { readClientData } from '../credential/clientData.ts';
import { readCoseKey } from '../credential/coseKey.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64url, toBase64url, toHex } from '../credential/encodings.ts';
import { presenceChallenge } from '../presence.ts';
import type { PortableBundle } from './bundle.ts';
import { type Facts, factsOf } from './bundleFacts.ts';
import { namedIn, touchIn } from './bundlePeople.ts';

export type Approval =
  | { readonly by: 'none' | 'sandbox' }
  /** By so many people, each with a passkey of their own. */
  | { readonly by: 'passkey'; readonly people: number }
  /** Only the node says so; the reason completes "not shown, since …". */
  | { readonly by: 'node'; readonly reason: string };

const WORDS = {
  none: 'no approval was needed',
  passkey: 'by a passkey',
  sandbox: 'by the sandbox',
  node: 'stated by the node, not shown',
} as const satisfies Record<Approval['by'], string>;

export function describeApproval(approval: Approval): string {
  if (approval.by === 'passkey' && approval.people > 1) return `by ${approval.people} people, each with a passkey`;
  return WORDS[approval.by];
}

/**
 * @param bundle one whose events, credentials and signatures hold
 * @param issuers every DID that the node has had
 * @param origin where the reader knows the node to be, such as https://pay.example; otherwise the node's own word is taken
 */
export function approvalOf(
  suite: Suite,
  bundle: PortableBundle,
  issuers: readonly string[],
  origin: string | undefined,
): Approval {
  const cart = factsOf(bundle, 'CART_VALIDATED');
  if (cart?.presenceId === undefined) return { by: 'none' };
  const { presence } = bundle;
  if (presence !== undefined && !issuers.includes(presence.issuer)) return { by: 'sandbox' };
  const touch = touchIn(bundle, cart.presenceId);
  if (touch === undefined) return { by: 'node', reason: 'the bundle has no HP_VERIFIED event of it' };
  if (presence !== undefined && presence.credentialId !== touch.credentialId) {
    return { by: 'node', reason: 'the presence proof names another passkey than its event' };
  }
  const others = (namedIn(cart) ?? []).filter(({ hpId }) => hpId !== cart.presenceId);
  for (const each of [touch, ...others.map(({ hpId }) => touchIn(bundle, hpId) ?? {})]) {
    const reason = bindingFault(cart, each) ?? assertionFault(suite, each, origin);
    if (reason !== undefined) return { by: 'node', reason };
  }
  return { by: 'passkey', people: others.length + 1 };
}

/** What of the purchase the passkey must have signed, besides the decision. */
const BOUND = ['cartHash', 'intentId', 'agentDid', 'principalDid', 'amount', 'currency', 'merchant'] as const;

function bindingFault(cart: NonNullable<Facts>, touch: NonNullable<Facts>): string | undefined {
  const { binding } = (touch.challenge ?? {}) as { readonly binding?: Facts };
  if (binding === undefined) return 'its event does not keep what the passkey signed';
  if (binding.decision !== 'approve') return 'the passkey did not sign the decision to approve';
  const other = BOUND.find((name) => binding[name] !== cart[name]);
  return other === undefined ? undefined : `the passkey signed another ${other} than that of the purchase, or none`;
}

/** The members of HP_VERIFIED that keep an assertion. */
const KeptAssertion = z.object({
  publicKey: z.string(),
  authenticatorData: z.string(),
  clientDataJSON: z.string(),
  signature: z.string(),
  challenge: z.object({ random: z.string(), binding: z.record(z.string(), z.unknown()) }),
  /** The node's origin at that time. */
  origin: z.string().optional(),
});

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;

/**
 * Checks an assertion that evidence keeps: that the passkey itself signed this binding, at the node's origin and for its RP id.
 * @param data of the event, not trusted
 * @returns one part of a sentence that says which check failed
 */
export function assertionFault(suite: Suite, data: unknown, origin: string | undefined): string | undefined {
  const kept = KeptAssertion.safeParse(data).data;
  if (kept === undefined) return 'its event keeps no assertion of a passkey';
  const { challenge } = kept;
  const [random, clientData, authenticatorData] = [challenge.random, kept.clientDataJSON, kept.authenticatorData].map(
    (text) => fromBase64url(text) ?? new Uint8Array(),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const said = readClientData(kept.clientDataJSON);
  if (said.type !== 'webauthn.get') return 'what the passkey signed is no assertion';
  if (said.challenge !== toBase64url(presenceChallenge(suite, random, challenge.binding))) {
    return 'the passkey signed another challenge than the event states';
  }
  return (
    placeFault(said, [origin, kept.origin]) ??
    authenticatorFault(suite, authenticatorData, String(said.origin)) ??
    signatureFault(suite, kept, joined(authenticatorData, suite.sha256Bytes(clientData)))
  );
}

/** @param known the node's origin as the reader knows it, and as the event states it */
function placeFault(
  said: { readonly origin: string | undefined; readonly crossOrigin: boolean },
  known: readonly (string | undefined)[],
): string | undefined {
  if (said.crossOrigin) return 'the passkey was used inside another site';
  const named = known.filter((each) => each !== undefined);
  if (named.length === 0) return `its event does not state the node’s origin; the passkey was used at ${said.origin}`;
  const other = named.find((each) => each !== said.origin);
  return other === undefined ? undefined : `the passkey was used at ${said.origin}, and the node is at ${other}`;
}

/** The RP id is the host name of the origin. */
function authenticatorFault(suite: Suite, data: Uint8Array, origin: string): string | undefined {
  if (data.length < 37 || !URL.canParse(origin)) return 'the authenticator’s data cannot be read';
  if (toHex(data.subarray(0, 32)) !== suite.sha256Hex(new URL(origin).hostname)) {
    return 'the passkey is of another RP id than the node’s';
  }
  const flags = data[32] as number;
  const isVerified = (flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0;
  return isVerified ? undefined : 'the authenticator did not verify its user';
}

function signatureFault(
  suite: Suite,
  kept: Pick<z.infer<typeof KeptAssertion>, 'publicKey' | 'signature'>,
  content: Uint8Array,
): string | undefined {
  const key = readCoseKey(fromBase64url(kept.publicKey) ?? new Uint8Array());
  if (key === undefined) return 'the passkey’s public key cannot be read';
  if (key.jwk === undefined) {
    return `the passkey signs by COSE algorithm ${key.algorithm} with a key that is not checked here; ES256, EdDSA and RS256 are`;
  }
  const bytes = fromBase64url(kept.signature) ?? new Uint8Array();
  const signature = key.jwk.kty === 'EC' ? fromDer(bytes) : bytes;
  const holds = signature !== undefined && isSignedByJwk(suite, key.jwk, content, signature);
  return holds ? undefined : 'the passkey’s signature does not hold';
}

/** @returns r and s in 64 bytes, of a DER sequence of two integers (SEC 1 section C.5) */
function fromDer(der: Uint8Array): Uint8Array | undefined {
  const raw = new Uint8Array(64);
  let at = 2;
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return undefined;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    if (der[at] !== 0x02 || length === 0 || number.length !== length) return undefined;
    const digits = number[0] === 0 ? number.subarray(1) : number;
    if (digits.length > 32) return undefined;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : undefined;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
