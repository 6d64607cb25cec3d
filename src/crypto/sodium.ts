/** Ed25519 by libsodium: the fastest of the suites, where its prebuilt library loads. */
import { didOfKey } from '../../protocol/credential/did.ts';
import { SEED_BYTES, SIGNATURE_BYTES, type Suite } from '../../protocol/credential/ed25519.ts';
import { isPublicKey } from '../../protocol/credential/publicKey.ts';
import { sha256, sha256Hex } from './sha256.ts';
import { sodiumLibrary } from './sodiumLibrary.ts';

/** @throws Error when there is no library for this platform */
export function sodiumSuite(): Suite {
  const sodium = sodiumLibrary();
  return {
    name: 'sodium',
    sha256,
    sha256Bytes: sha256,
    sha256Hex,
    // libsodium itself refuses a large S and an R of small order, but takes some keys of mixed order.
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
