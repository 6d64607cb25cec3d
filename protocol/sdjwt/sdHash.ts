/** The digests of SD-JWT (RFC 9901 section 4.1.1): base64url of a hash over ASCII text, by the algorithm that a token names. */
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { toBase64url } from '../credential/encodings.ts';
import type { JsonObject } from './sdJwt.ts';

const HASHES = { 'sha-256': sha256, 'sha-384': sha384, 'sha-512': sha512 } as const;
export type SdAlgorithm = keyof typeof HASHES;
export const SD_ALGORITHMS = Object.keys(HASHES) as readonly SdAlgorithm[];

/** The algorithm of a token by its `_sd_alg`; undefined for one that is not taken. */
export function algorithmIn(payload: JsonObject): SdAlgorithm | undefined {
  const name = payload['_sd_alg'] ?? 'sha-256';
  return typeof name === 'string' && Object.hasOwn(HASHES, name) ? (name as SdAlgorithm) : undefined;
}

export function sdHash(algorithm: SdAlgorithm, text: string): string {
  return toBase64url(HASHES[algorithm](utf8.encode(text)));
}

const utf8 = new TextEncoder();
