/** The suite a node signs and verifies with: libsodium, which is the fastest, or node:crypto where it does not load. */
import { didOfKey } from '../../protocol/credential/did.ts';
import { SEED_BYTES, SIGNATURE_BYTES, type Suite } from '../../protocol/credential/ed25519.ts';
import { examineKeysBy, isPublicKey, KEY_BYTES } from '../../protocol/credential/publicKey.ts';
import { memoize } from '../../protocol/wire/memoize.ts';
import { nodeCryptoSuite } from './nodeCrypto.ts';
import { nativeHashes } from './sha256.ts';
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
