/** Writes SD-JWTs (RFC 9901) and chains of them (Delegate SD-JWT). Keys, salts and times are the caller's. */
import { toBase64url } from '../credential/encodings.ts';
import { type SdAlgorithm, sdHash } from './sdHash.ts';
import { isObject, type JsonObject } from './sdJwt.ts';

export interface TokenSigner {
  readonly kid?: string;
  /** Certificates of its key, base64 of DER, its own first (RFC 7515 section 4.1.6). */
  readonly x5c?: readonly string[];
  /** @returns r and s of ES256 (RFC 7518 section 3.4), made with fresh randomness */
  sign(content: Uint8Array): Uint8Array;
}

interface TokenToMint {
  readonly typ: string;
  /** With values marked by `selective`, which are disclosed beside the token. */
  readonly payload: JsonObject;
  readonly signer: TokenSigner;
  /** @returns a salt of at least 128 random bits, in base64url */
  salt(): string;
  readonly algorithm?: SdAlgorithm;
  /** Whether top-level `_sd` names every disclosure once more, as layer 2 of Verifiable Intent does. */
  readonly isMirrored?: boolean;
}

/** A member or an element that its holder may withhold. */
class Selective {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

export function selective(value: unknown): unknown {
  return new Selective(value);
}

/** @returns `jwt~disclosure~…~` */
export function mintSdJwt(token: TokenToMint): string {
  const { typ, payload, signer, salt, algorithm = 'sha-256', isMirrored = false } = token;
  const disclosures: string[] = [];
  const hide = (...parts: unknown[]): string => {
    const disclosure = encoded([salt(), ...parts]);
    disclosures.push(disclosure);
    return sdHash(algorithm, disclosure);
  };
  const named = withDigests(payload, hide) as JsonObject;
  const mirror = isMirrored ? { _sd: disclosures.map((each) => sdHash(algorithm, each)) } : {};
  const plain = { ...named, ...mirror, _sd_alg: algorithm };
  const header = { alg: 'ES256', typ, ...(signer.kid && { kid: signer.kid }), ...(signer.x5c && { x5c: signer.x5c }) };
  const content = `${encoded(header)}.${encoded(plain)}`;
  return `${[`${content}.${toBase64url(signer.sign(utf8.encode(content)))}`, ...disclosures].join('~')}~`;
}

function withDigests(value: unknown, hide: (...parts: unknown[]) => string): unknown {
  if (value instanceof Selective) throw new TypeError('Only members and elements can be selective.');
  if (Array.isArray(value)) {
    return value.map((each: unknown) =>
      each instanceof Selective ? { '...': hide(withDigests(each.value, hide)) } : withDigests(each, hide),
    );
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  const plain = members.filter(([, each]) => !(each instanceof Selective));
  const digests = members.flatMap(([name, each]) =>
    each instanceof Selective ? [hide(name, withDigests(each.value, hide))] : [],
  );
  const kept = Object.fromEntries(plain.map(([name, each]) => [name, withDigests(each, hide)]));
  // In an order of their own, the digests do not tell which member each of them hides (RFC 9901 section 4.2.4.1).
  return digests.length === 0 ? kept : { ...kept, _sd: digests.sort() };
}

/** The claims that bind a token to the one that it delegates. */
export function bindingTo(previous: string, how: 'sd_hash' | 'issuer_jwt_hash', algorithm: SdAlgorithm = 'sha-256') {
  const bound = how === 'sd_hash' ? previous : (previous.split('~')[0] as string);
  return { [how]: sdHash(algorithm, bound) };
}

/** @param tokens from the root on, each `jwt~disclosure~…~` */
export function joinChain(tokens: readonly string[]): string {
  return tokens.map((token, index) => (index === tokens.length - 1 ? token : token.slice(0, -1))).join('~~');
}

function encoded(value: unknown): string {
  return toBase64url(utf8.encode(JSON.stringify(value)));
}

const utf8 = new TextEncoder();
