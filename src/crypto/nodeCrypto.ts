/** Ed25519 by node:crypto (OpenSSL): the suite that works on every platform. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { didOfKey } from '../../protocol/credential/did.ts';
import { isIdentity, SEED_BYTES, SIGNATURE_BYTES, type Suite } from '../../protocol/credential/ed25519.ts';
import { fromBase64url, toBase64url } from '../../protocol/credential/encodings.ts';
import { isPublicKey } from '../../protocol/credential/publicKey.ts';
import { memoize } from '../../protocol/wire/memoize.ts';
import { nativeHashes } from './sha256.ts';

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
