/** DIDs of Ed25519 keys (W3C did:key). Each key has one canonical DID, in whichever spelling it arrives. */
import bs58 from 'bs58';
import { z } from 'zod';
import { Fault } from '../wire/fault.ts';
import { memoize } from '../wire/memoize.ts';
import { isPublicKey, KEY_BYTES } from './publicKey.ts';

const SCHEME = 'did:key:';
/** The multicodec prefix of an Ed25519 public key. */
const CODEC = [0xed, 0x01] as const;
/** `z` and the base58 text of 34 bytes that begin with the prefix above; the text of 32 bytes has at most 44. */
const MULTIBASE_LENGTH = 48;
const MAX_LENGTH = 128;
const CACHED_DIDS = 10_000;
const NOT_A_KEY = 'The 32 bytes are not an Ed25519 public key of prime order in canonical encoding.';

interface DidKey {
  readonly did: string;
  readonly key: Uint8Array;
}

/** Parses a DID and checks its key; a sentence when it is not valid. */
const read = memoize(CACHED_DIDS, (text): DidKey | string => {
  if (!text.startsWith(SCHEME)) return 'A DID must begin with did:key: here.';
  const key = decodeKey(text.slice(SCHEME.length));
  if (typeof key === 'string') return key;
  if (!isPublicKey(key)) return NOT_A_KEY;
  return { did: encode(key), key };
});

/**
 * The canonical DID of a public key.
 * @param publicKey 32 bytes
 * @throws Fault BAD_REQUEST for bytes that are not a public key (see `pointOf`)
 */
export function didOfKey(publicKey: Uint8Array): string {
  if (!isPublicKey(publicKey)) throw new Fault('BAD_REQUEST', NOT_A_KEY);
  return encode(publicKey);
}

/**
 * The canonical spelling, `did:key:z6Mk…`, of a DID.
 * @param text in that spelling, or `did:key:` and the base58 of the 32 bytes
 * @throws Fault BAD_REQUEST that says what is wrong with it
 */
export function canonicalDid(text: string): string {
  return readingOf(text).did;
}

/**
 * The public key of a DID: 32 bytes, shared between callers, who must not change them.
 * @throws Fault BAD_REQUEST when it is not the DID of an Ed25519 key
 */
export function keyOfDid(did: string): Uint8Array {
  return readingOf(did).key;
}

/** The id of a DID's only key, `did:key:z6Mk…#z6Mk…`. */
export function keyId(did: string): string {
  return `${did}#${did.slice(SCHEME.length)}`;
}

/** A DID in either spelling; parsed to the canonical one. */
export const Did = z.string().max(MAX_LENGTH).check(spelledBy(canonicalDid));
export type Did = z.infer<typeof Did>;

/** A public key as base58 of its 32 bytes or as multibase `z6Mk…`; parsed to its canonical DID. */
export const PublicKeyInput = z
  .string()
  .max(MAX_LENGTH)
  .check(spelledBy((text) => canonicalDid(SCHEME + text)));
export type PublicKeyInput = z.infer<typeof PublicKeyInput>;

/** A check that replaces the value by its canonical spelling; unlike a transform it still has a JSON Schema. */
function spelledBy(spell: (text: string) => string) {
  return (payload: z.core.ParsePayload<string>): void => {
    try {
      payload.value = spell(payload.value);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      payload.issues.push({ code: 'custom', message: error.message, input: payload.value });
    }
  };
}

function readingOf(text: string): DidKey {
  const reading = text.length > MAX_LENGTH ? `A DID has at most ${MAX_LENGTH} characters.` : read(text);
  if (typeof reading === 'string') throw new Fault('BAD_REQUEST', reading);
  return reading;
}

function decodeKey(text: string): Uint8Array | string {
  const multibase = text.length === MULTIBASE_LENGTH && text.startsWith('z');
  const bytes = bs58.decodeUnsafe(multibase ? text.slice(1) : text);
  if (bytes === undefined) return 'The key of a DID must be base58 text, such as did:key:z6Mk….';
  if (!multibase && bytes.length === KEY_BYTES) return bytes;
  if (multibase && bytes.length === KEY_BYTES + CODEC.length && CODEC.every((byte, index) => bytes[index] === byte)) {
    return bytes.slice(CODEC.length);
  }
  return 'The DID must hold an Ed25519 key: did:key:z6Mk… or did:key: and the base58 text of its 32 bytes.';
}

function encode(key: Uint8Array): string {
  return `${SCHEME}z${bs58.encode(Uint8Array.of(...CODEC, ...key))}`;
}
