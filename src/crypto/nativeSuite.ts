/**
 * The suite a node signs and verifies with: libsodium, which is the fastest, or node:crypto where it does not load; its
 * hashes, and random bytes for ids.
 */

import { createHash, createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { didOfKey } from '../../protocol/credential/did.ts';
import { isIdentity, SEED_BYTES, SIGNATURE_BYTES, type Suite } from '../../protocol/credential/ed25519.ts';
import { fromBase64url, toBase64url } from '../../protocol/credential/encodings.ts';
import { examineKeysBy, isPublicKey, KEY_BYTES } from '../../protocol/credential/publicKey.ts';
import { memoize } from '../../protocol/wire/memoize.ts';
import { sodiumLibrary } from './sodiumLibrary.ts';

const CACHED_KEYS = 10_000;

/** Both suites give the same verdicts; they differ in speed. */
export function nativeSuite(): Suite {
  try {
    return sodiumSuite();
  } catch {
    return nodeCryptoSuite();
  }
}

/** @throws Error when there is no library for this platform */
export function sodiumSuite(): Suite {
  const sodium = sodiumLibrary();
  const isKey = memoize(CACHED_KEYS, (key) => sodium.crypto_core_ed25519_is_valid_point(Buffer.from(key, 'latin1')));
  examineKeysBy((publicKey) => publicKey.length === KEY_BYTES && isKey(latin1Of(publicKey)));
  return {
    name: 'sodium',
    ...nativeHashes,
    // libsodium itself refuses a large S and an R of small order, but accepts some keys of mixed order.
    verify: (publicKey, message, signature) =>
      signature.length === SIGNATURE_BYTES &&
      isPublicKey(publicKey) &&
      sodium.crypto_sign_verify_detached(signature, message, publicKey),
    signer(seed) {
      if (seed.length !== SEED_BYTES) throw new RangeError(`An Ed25519 seed has ${SEED_BYTES} bytes.`);
      const publicKey = new Uint8Array(sodium.crypto_sign_PUBLICKEYBYTES);
      const secretKey = new Uint8Array(sodium.crypto_sign_SECRETKEYBYTES);
      sodium.crypto_sign_seed_keypair(publicKey, secretKey, seed);
      return {
        did: didOfKey(publicKey),
        publicKey,
        sign(message) {
          const signature = new Uint8Array(SIGNATURE_BYTES);
          sodium.crypto_sign_detached(signature, message, secretKey);
          return signature;
        },
      };
    },
  };
}

/** A character for each byte. */
function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1');
}

const REMEMBERED_KEYS = 10_000;
/** PKCS #8 of an Ed25519 key up to the seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export function nodeCryptoSuite(): Suite {
  const keyObject = memoize(REMEMBERED_KEYS, publicKeyObject);
  return {
    name: 'node:crypto',
    ...nativeHashes,
    // OpenSSL accepts keys of any order and the identity as R, so forgeries under such keys would verify.
    verify: (publicKey, message, signature) =>
      signature.length === SIGNATURE_BYTES &&
      isPublicKey(publicKey) &&
      !isIdentity(signature.subarray(0, 32)) &&
      verify(null, message, keyObject(toBase64url(publicKey)), signature),
    signer(seed) {
      if (seed.length !== SEED_BYTES) throw new RangeError(`An Ed25519 seed has ${SEED_BYTES} bytes.`);
      const der = Buffer.concat([PKCS8_HEAD, seed]);
      const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
      const publicKey =
        fromBase64url(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '') ?? new Uint8Array();
      return { did: didOfKey(publicKey), publicKey, sign: (message) => sign(null, message, privateKey) };
    },
  };
}

function publicKeyObject(x: string): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } });
}

const DIGEST_BYTES = 32;

/**
 * SHA-256 by node's one-shot hash, which is several times faster than a Hash object for short inputs. The digest is requested as text,
 * since creating a Buffer for it takes longer than hashing.
 * @param input bytes, or a text whose UTF-8 bytes are hashed
 */
export function sha256(input: string | Uint8Array): Uint8Array {
  const text = hash('sha256', input, 'binary');
  const digest = new Uint8Array(DIGEST_BYTES);
  for (let i = 0; i < DIGEST_BYTES; i++) digest[i] = text.charCodeAt(i);
  return digest;
}

/** The plain version of `sha256`. */
export function sha256Plainly(input: string | Uint8Array): Uint8Array {
  return Uint8Array.from(createHash('sha256').update(input).digest());
}

/** In hexadecimal, lower case. */
export function sha256Hex(text: string): string {
  return hash('sha256', text, 'hex');
}

/** The hashes of a suite. */
const nativeHashes = { sha256, sha256Bytes: sha256, sha256Hex };

/** One call to the system's generator costs as much as thousands of bytes. */
const POOL_BYTES = 4096;

/**
 * @param generate returns new unpredictable bytes
 * @returns a function that returns bytes it never returned before; at most POOL_BYTES at once
 */
export function randomPool(generate: (size: number) => Uint8Array): (size: number) => Uint8Array {
  let pool = generate(POOL_BYTES);
  let used = 0;
  return (size) => {
    if (used + size > POOL_BYTES) {
      pool = generate(POOL_BYTES);
      used = 0;
    }
    used += size;
    return pool.subarray(used - size, used);
  };
}
