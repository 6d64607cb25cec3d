/** Public keys of passkeys as COSE writes them (RFC 9052, RFC 9053): a CBOR map of numbers and byte strings. */
import { PublicJwk } from '../jwk/jwk.ts';
import { toBase64url } from './encodings.ts';

/** @see https://www.iana.org/assignments/cose/cose.xhtml */
const ES256 = -7;
const EDDSA = -8;
const RS256 = -257;

interface CoseKey {
  /** Its number in IANA's registry of COSE algorithms. */
  readonly algorithm: number;
  /** Undefined where the algorithm is not ES256, EdDSA or RS256, or where its parts are no key of that kind. */
  readonly jwk: PublicJwk | undefined;
}

/** @returns undefined for bytes that are no such map */
export function readCoseKey(bytes: Uint8Array): CoseKey | undefined {
  const map = readMap(bytes);
  const algorithm = map?.get(3);
  return map === undefined || typeof algorithm !== 'number'
    ? undefined
    : { algorithm, jwk: PublicJwk.safeParse(membersOf(algorithm, map)).data };
}

type Value = number | Uint8Array;

/** RFC 9053 section 7 (EC2, OKP), RFC 8230 section 4 (RSA). */
function membersOf(algorithm: number, map: ReadonlyMap<number, Value>): unknown {
  const [kind, curve] = [map.get(1), map.get(-1)];
  const part = (label: number) => {
    const value = map.get(label);
    return value instanceof Uint8Array ? toBase64url(value) : undefined;
  };
  if (algorithm === ES256 && kind === 2 && curve === 1) return { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) };
  if (algorithm === EDDSA && kind === 1 && curve === 6) return { kty: 'OKP', crv: 'Ed25519', x: part(-2) };
  return algorithm === RS256 && kind === 3 ? { kty: 'RSA', n: part(-1), e: part(-2) } : undefined;
}

const [UNSIGNED, NEGATIVE, BYTES, MAP] = [0, 1, 2, 5];

/** A map whose keys are integers, and whose values are integers or byte strings (RFC 8949 section 3). */
function readMap(bytes: Uint8Array): ReadonlyMap<number, Value> | undefined {
  let at = 0;
  const head = (): readonly [kind: number, argument: number] | undefined => {
    const first = bytes[at];
    if (first === undefined) return undefined;
    const short = first & 31;
    const length = short < 24 ? 0 : 2 ** (short - 24);
    if (length > 4 || at + length >= bytes.length) return undefined;
    let argument = length === 0 ? short : 0;
    for (let index = 1; index <= length; index += 1) argument = argument * 256 + (bytes[at + index] as number);
    at += 1 + length;
    return [first >> 5, argument];
  };
  const value = (): Value | undefined => {
    const read = head();
    if (read === undefined) return undefined;
    const [kind, argument] = read;
    if (kind === UNSIGNED) return argument;
    if (kind === NEGATIVE) return -1 - argument;
    if (kind !== BYTES || at + argument > bytes.length) return undefined;
    at += argument;
    return bytes.slice(at - argument, at);
  };
  const start = head();
  if (start?.[0] !== MAP) return undefined;
  const map = new Map<number, Value>();
  for (let entry = 0; entry < start[1]; entry += 1) {
    const key = value();
    const found = value();
    if (typeof key !== 'number' || found === undefined || map.has(key)) return undefined;
    map.set(key, found);
  }
  return at === bytes.length ? map : undefined;
}
