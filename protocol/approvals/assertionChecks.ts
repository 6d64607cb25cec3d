/**
 * The checks of one WebAuthn assertion by a reader who has its bytes and its key alone (W3C Web Authentication Level 3, section
 * 7.2). Each function returns one part of a sentence that says what is wrong, or undefined.
 */

import type { ClientData } from '../credential/clientData.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64url, toBase64url, toHex } from '../credential/encodings.ts';
import type { PublicJwk } from '../jwk/jwk.ts';
import { isSignedByJwk } from '../jwk/jwkSignature.ts';
import { presenceChallenge } from '../presence.ts';

/** What an authenticator and its browser made, base64url. */
interface SignedAssertion {
  readonly authenticatorData: string;
  readonly clientDataJSON: string;
  readonly signature: string;
}

/** How many unpredictable bytes a challenge has. */
const RANDOM_BYTES = 32;

/** @param random base64url @throws Fault for a binding without canonical JSON (RFC 8785) */
export function challengeFault(suite: Suite, said: ClientData, random: string, binding: object): string | undefined {
  const bytes = fromBase64url(random);
  if (bytes?.length !== RANDOM_BYTES) return `the random part of the challenge is not ${RANDOM_BYTES} bytes`;
  const expected = toBase64url(presenceChallenge(suite, bytes, binding));
  return said.challenge === expected ? undefined : 'the passkey signed another challenge than the one stated';
}

/** @param origins what the reader knows of the place, each of which must be where the passkey was used */
export function placeFault(said: ClientData, origins: readonly string[]): string | undefined {
  if (said.type !== 'webauthn.get') return 'what the passkey signed is no assertion';
  if (said.crossOrigin) return 'the passkey was used inside another site';
  const other = origins.find((each) => each !== said.origin);
  return other === undefined ? undefined : `the passkey was used at ${said.origin}, and the node is at ${other}`;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
/** The hash of the RP id, the flags and the counter. */
const LEAST_BYTES = 37;

/** @param authenticatorData base64url */
export function authenticatorFault(suite: Suite, authenticatorData: string, rpId: string): string | undefined {
  const data = fromBase64url(authenticatorData) ?? new Uint8Array();
  if (data.length < LEAST_BYTES) return 'the authenticator’s data cannot be read';
  if (toHex(data.subarray(0, 32)) !== suite.sha256Hex(rpId)) return 'the passkey is of another RP id than the node’s';
  const flags = data[32] as number;
  const isVerified = (flags & USER_PRESENT) !== 0 && (flags & USER_VERIFIED) !== 0;
  return isVerified ? undefined : 'the authenticator did not verify its user';
}

export function signatureFault(suite: Suite, key: PublicJwk, assertion: SignedAssertion): string | undefined {
  const [data, clientData, given] = [assertion.authenticatorData, assertion.clientDataJSON, assertion.signature].map(
    (text) => fromBase64url(text) ?? new Uint8Array(),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  const signature = key.kty === 'EC' ? fromDer(given) : given;
  const holds =
    signature !== undefined && isSignedByJwk(suite, key, joined(data, suite.sha256Bytes(clientData)), signature);
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
